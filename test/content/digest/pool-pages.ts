import type { ParserInput } from '../../../src/content/parse/parser.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { digestPlan } from './plans.js'

export const never = new AbortController().signal
export const page = (html: string): ParserInput => ({
  url: pageUrl,
  body: bytes(html),
  contentType: 'text/html; charset=utf-8',
})
export const ordinary = page('<h1>Hello</h1><p>An <a href=/x>ordinary</a> page.</p>')

/** No thread comes to an end with this: for each of the siblings, all before it are tried, for each step of the selector. */
export const endless = page('<i>x</i>'.repeat(5000))
export const endlessPlan = digestPlan({ excludeTags: ['b ~ i ~ i ~ i ~ i ~ i'] })

/** A heap's worth of elements. */
export const huge = page('<p>word '.repeat(240_000))
