import { loadTree, wrapInPage } from '../html/load-tree.js'
import type { ParserInput, ParsedPage, ParsePlan } from '../parser.js'

/** Whether it is sound or a film, of which something else is made than text. */
export const isSilent = (mediaType: string, { mayBeMedia }: ParsePlan): boolean =>
  mayBeMedia === true && /^(?:(?:audio|video)\/|application\/(?:ogg|vnd\.ms-asf)$)/.test(mediaType)

/** A file that has nothing to be read. */
export const makeSilentPage = ({ url }: ParserInput): ParsedPage => ({
  url,
  baseUrl: url,
  $: loadTree(wrapInPage([])),
  text: '',
  markdown: '',
  isFile: true,
  warnings: [],
})
