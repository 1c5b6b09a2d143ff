/** The kind of a string that a page may show: HTML, a sentence or more, or a few words. */
export type TextKind = 'html' | 'prose' | 'label'

const tags =
  /<\/?(?:p|h[1-6]|ul|ol|li|div|span|section|article|table|tr|td|blockquote|pre|code|br|figure|strong|em|b|i|a)\b[^<>]{0,2000}>/i
/** Matches URLs, style sheets, programs, SVG paths and nested data. */
const nonProse =
  /^\s*(?:[a-z][a-z\d+.-]{1,12}:\/\/|data:|\/[\w/-]+$|[#.@][\w-]+\s*\{|[{[](?!\s*\w+\s)|function\b|(?:var|const|let|import|export)\s|<\?xml|<svg|m-?[\d.]+[\s,]-?[\d.]+\s*[a-z][\d\s.,a-z-]*$)/i
/** Minimum number of words of prose; a shorter string is a label. */
const MIN_PROSE = 6

/** Returns the kind of a string; undefined for one that is not meant for readers. */
export function kindOfText(text: string): TextKind | undefined {
  const start = text.slice(0, 4000)
  if (!/\p{L}/u.test(start)) return undefined
  if (tags.test(start) && !/^\s*(?:<\?xml|<svg|<script|<style|<iframe)/i.test(start)) return 'html'
  if (nonProse.test(start)) return undefined
  if (isProgram(start) || countSigns(start) > start.length * MAX_SIGNS) return undefined
  if (countWords(start) >= MIN_PROSE && (/\s/.test(start) || dense.test(start))) return 'prose'
  // Identifiers such as `blog-post`, `primary_button`, `ArticlePage` or a hash are not shown.
  if (text.length > MAX_LABEL) return undefined
  const isProgramName = !/\s/.test(text) && /[a-z\d][_-][a-z\d]|[a-z][A-Z]|\d[a-f]\d/.test(text)
  return isProgramName ? undefined : 'label'
}

/** Maximum length of a label. Characters. */
const MAX_LABEL = 120

/** Maximum share of characters other than letters, digits and spaces in a text for readers. */
const MAX_SIGNS = 0.25

function countSigns(text: string): number {
  let signs = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Only ASCII is counted: nearly all other characters are letters.
    const isSign = code > 32 && code < 127 && !((code >= 48 && code < 58) || ((code | 32) >= 97 && (code | 32) <= 122))
    if (isSign) signs += 1
  }
  return signs
}

/**
 * Tests for a program: more than 40 % of its lines end with a brace or a semicolon. In a text with code examples fewer
 * do.
 */
export function isProgram(text: string): boolean {
  const lines = text.split('\n')
  return lines.filter((line) => /[{};]\s{0,5}$/.test(line)).length > lines.length * 0.4
}

const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const words = /[\p{L}\p{M}\p{N}]+(?:['’.,-][\p{L}\p{M}\p{N}]+)*/gu
const denseSigns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/** Counts words; in writing systems without spaces, two characters count as one word. */
export function countWords(text: string): number {
  const signs = dense.test(text) ? (text.match(denseSigns)?.length ?? 0) : 0
  const rest = signs > 0 ? text.replace(denseSigns, ' ') : text
  return (rest.match(words)?.length ?? 0) + Math.floor(signs / 2)
}

/** Returns the text of HTML, with spaces in place of tags and entities. */
export const withoutTags = (html: string): string =>
  html.replace(/<[^<>]{0,5000}>/g, ' ').replace(/&[#\w]{1,10};/g, ' ')
