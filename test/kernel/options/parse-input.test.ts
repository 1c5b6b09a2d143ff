import { describe, expect, it } from 'vitest'
import { checkParseInput } from '../../../src/kernel/options/check.js'

describe('bytes in place of an object', () => {
  it.each([[Buffer.alloc(31_836)], [new Uint8Array(3)], [new ArrayBuffer(3)], ['<p>text</p>']])(
    'are refused with the form of the object: %#',
    (input) => expect(() => checkParseInput(input)).toThrow(/alone: give an object, `\{ body, url, contentType \}`/),
  )
})
