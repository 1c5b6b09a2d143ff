import { expect, test } from 'vitest'
import type { Span } from '../../../src/content/pdf/block.js'
import {
  breakSpans,
  endOf,
  joinLines,
  joinSpans,
  textOf,
  uniteSpans,
} from '../../../src/content/pdf/blocks/join-spans.js'

const plain = (text: string): Span => ({ text, isBold: false, isItalic: false, isMono: false, isRaised: false })
const bold = (text: string): Span => ({ ...plain(text), isBold: true })
const known = new Map<string, number>()

test('a paragraph of 100,000 lines is joined without being copied for each of them', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => [plain(`line ${index} goes on in the next`)])
  const text = textOf(joinLines(lines, known))
  expect(text.length).toBe(lines.reduce((sum, [span]) => sum + (span?.text.length ?? 0) + 1, -1))
  expect(text).toContain('line 99 goes on in the next line 100 goes')
})

test('spans of equal style are merged after all lines are joined', () => {
  const spans = joinLines([[plain('A long')], [plain('sentence with a '), bold('word')], [bold('in bold.')]], known)
  expect(uniteSpans(spans)).toEqual([plain('A long sentence with a '), bold('word in bold.')])
})

test('a hyphenated word is joined, even if spaces follow its hyphen', () => {
  const spans = [plain('The light-'), plain(' '), plain('  ')]
  joinSpans(spans, [plain('house stands.')], new Map([['lighthouse', 2]]))
  expect(textOf(spans)).toBe('The lighthouse stands.')
})

test('a hyphenated word in capitals is joined if the file has it in one piece, more often than with its hyphen', () => {
  const words = new Map([
    ['permitted', 2],
    ['nonfree', 1],
    ['non-free', 2],
  ])
  const join = (before: string, next: string): string => textOf(joinLines([[plain(before)], [plain(next)]], words))
  expect(join('TO THE EXTENT PER-', 'MITTED BY LAW')).toBe('TO THE EXTENT PERMITTED BY LAW')
  expect(join('IN NON-', 'FREE')).toBe('IN NON-FREE')
  expect(join('ISO-', 'LATIN')).toBe('ISO-LATIN')
  expect(join('Per-', 'Mitted')).toBe('Per-Mitted')
})

test('a line after a line break keeps the break', () => {
  const spans = [bold('Name')]
  breakSpans(spans, [bold('Place')])
  expect(uniteSpans(spans)).toEqual([bold('Name\nPlace')])
})

test('a URL continues in the next line, however many spans it has', () => {
  const spans = [plain('See https://example.test/'), ...'a/long/path/'.split('').map(plain)]
  joinSpans(spans, [plain('to/somewhere')], known)
  expect(textOf(spans)).toBe('See https://example.test/a/long/path/to/somewhere')
})

test('the end of a text has no trailing white space, and a bounded length', () => {
  expect(endOf([plain('one '), plain('two'), plain('  ')])).toBe('one two')
  expect(endOf([plain('x'.repeat(5000)), plain('y'.repeat(600))])).toBe('y'.repeat(600))
})
