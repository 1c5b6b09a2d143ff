import { expect, test } from 'vitest'
import { readClassMarks } from '../../../src/content/office/epub/epub-styles.js'

test('the rules of a style sheet are read in one go, however long they are', () => {
  const sheet = `/* a { */ .b, p.x { font-weight: bold } @media print { .i { font-style: italic } } ${'a '.repeat(2_000_000)}`
  expect(readClassMarks([sheet, `.c{${'a'.repeat(3_000_000)}`, '/*'.repeat(1_000_000)])).toEqual(
    new Map([
      ['b', ['strong']],
      ['i', ['em']],
    ]),
  )
})
