import { expect, test } from 'vitest'
import type { Span } from '../../src/pdf/block.js'
import { breakSpans, endOf, joinLines, joinSpans, textOf, uniteSpans } from '../../src/pdf/blocks/join-spans.js'

const plain = (text: string): Span => ({ text, isBold: false, isItalic: false, isMono: false, isRaised: false })
const bold = (text: string): Span => ({ ...plain(text), isBold: true })
const known = new Map<string, number>()

test('a paragraph of 100,000 lines is joined without being copied for each of them', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => [plain(`line ${index} goes on in the next`)])
  const text = textOf(joinLines(lines, known))
  expect(text.length).toBe(lines.reduce((sum, [span]) => sum + (span?.text.length ?? 0) + 1, -1))
  expect(text).toContain('line 99 goes on in the next line 100 goes')
})

test('what is alike is one span when all is joined', () => {
  const spans = joinLines([[plain('A long')], [plain('sentence with a '), bold('word')], [bold('in bold.')]], known)
  expect(uniteSpans(spans)).toEqual([plain('A long sentence with a '), bold('word in bold.')])
})

test('a word that was broken is one again, whatever space stands behind its hyphen', () => {
  const spans = [plain('The light-'), plain(' '), plain('  ')]
  joinSpans(spans, [plain('house stands.')], new Map([['lighthouse', 2]]))
  expect(textOf(spans)).toBe('The lighthouse stands.')
})

test('a line below the others begins anew', () => {
  const spans = [bold('Name')]
  breakSpans(spans, [bold('Place')])
  expect(uniteSpans(spans)).toEqual([bold('Name\nPlace')])
})

test('an address goes on in the next line, however many spans it has', () => {
  const spans = [plain('See https://example.test/'), ...'a/long/path/'.split('').map(plain)]
  joinSpans(spans, [plain('to/somewhere')], known)
  expect(textOf(spans)).toBe('See https://example.test/a/long/path/to/somewhere')
})

test('how a text ends is told without the space there, and without all of a long one', () => {
  expect(endOf([plain('one '), plain('two'), plain('  ')])).toBe('one two')
  expect(endOf([plain('x'.repeat(5000)), plain('y'.repeat(600))])).toBe('y'.repeat(600))
})
