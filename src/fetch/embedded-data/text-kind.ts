/** What a string among data is: a text that is shown, or one for programs. */
export type TextKind = 'html' | 'prose' | 'label'

const tags =
  /<\/?(?:p|h[1-6]|ul|ol|li|div|span|section|article|table|tr|td|blockquote|pre|code|br|figure|strong|em|b|i|a)\b[^<>]{0,2000}>/i
/** An address, a style, a program, or data once more. */
const forPrograms =
  /^\s*(?:[a-z][a-z\d+.-]{1,12}:\/\/|data:|\/[\w/-]+$|[#.@][\w-]+\s*\{|[{[](?!\s*\w+\s)|function\b|(?:var|const|let|import|export)\s|<\?xml|<svg|m-?[\d.]+[\s,]-?[\d.]+\s*[a-z][\d\s.,a-z-]*$)/i
/** Words from which on a string is more than a label. */
const MIN_PROSE = 6

/** What a string is; undefined where it is for programs. */
export function kindOfText(text: string): TextKind | undefined {
  const start = text.slice(0, 4000)
  if (!/\p{L}/u.test(start)) return undefined
  if (tags.test(start) && !/^\s*(?:<\?xml|<svg|<script|<style|<iframe)/i.test(start)) return 'html'
  if (forPrograms.test(start)) return undefined
  if (isProgram(start) || countSigns(start) > start.length * MAX_SIGNS) return undefined
  if (countWords(start) >= MIN_PROSE && (/\s/.test(start) || dense.test(start))) return 'prose'
  // Names that programs give: `blog-post`, `primary_button`, `ArticlePage`, a hash.
  if (text.length > MAX_LABEL) return undefined
  const isProgramName = !/\s/.test(text) && /[a-z\d][_-][a-z\d]|[a-z][A-Z]|\d[a-f]\d/.test(text)
  return isProgramName ? undefined : 'label'
}

/** A longer text of few words is none that is shown. Characters. */
const MAX_LABEL = 120

/** Share of signs that are neither letter nor digit nor space: more of them is no text. */
const MAX_SIGNS = 0.25

function countSigns(text: string): number {
  let signs = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // ASCII only: what else there is, is a letter nearly always.
    const isSign = code > 32 && code < 127 && !((code >= 48 && code < 58) || ((code | 32) >= 97 && (code | 32) <= 122))
    if (isSign) signs += 1
  }
  return signs
}

/** Lines of a program end like this; in a text with examples most do not. */
export function isProgram(text: string): boolean {
  const lines = text.split('\n')
  return lines.filter((line) => /[{};]\s{0,5}$/.test(line)).length > lines.length * 0.4
}

const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const words = /[\p{L}\p{M}\p{N}]+(?:['’.,-][\p{L}\p{M}\p{N}]+)*/gu
const denseSigns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/** Words of a text; in scripts that leave no space between them, two signs are taken for one. */
export function countWords(text: string): number {
  const signs = dense.test(text) ? (text.match(denseSigns)?.length ?? 0) : 0
  const rest = signs > 0 ? text.replace(denseSigns, ' ') : text
  return (rest.match(words)?.length ?? 0) + Math.floor(signs / 2)
}

/** Of HTML, what is read. */
export const withoutTags = (html: string): string =>
  html.replace(/<[^<>]{0,5000}>/g, ' ').replace(/&[#\w]{1,10};/g, ' ')
