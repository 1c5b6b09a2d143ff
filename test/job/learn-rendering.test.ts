import { expect, it } from 'vitest'
import { createRenderingMemory } from '../../src/job/run/learn-rendering.js'

const page = (number: number): string => `https://site.test/news/${number}`

it('expects a browser after two pages that gained by it, and HTTP after two that did not', () => {
  const memory = createRenderingMemory()
  expect(memory.expect(page(1))).toBeUndefined()
  memory.note(page(1), true)
  expect(memory.expect(page(2))).toBeUndefined()
  memory.note(page(2), true)
  expect(memory.expect(page(3))).toBe('browser')
  expect(memory.expect('https://site.test/about')).toBeUndefined()
  const other = createRenderingMemory()
  other.note(page(1), false)
  other.note(page(2), false)
  expect(other.expect(page(3))).toBe('http')
})

it('leaves the question open where pages of one making disagree, also with those that have their text', () => {
  const memory = createRenderingMemory()
  memory.note(page(1), true)
  memory.notePlain(page(2))
  memory.note(page(3), true)
  expect(memory.expect(page(4))).toBeUndefined()
  const other = createRenderingMemory()
  other.notePlain(page(1))
  other.notePlain(page(2))
  expect(other.expect(page(3))).toBeUndefined()
})
