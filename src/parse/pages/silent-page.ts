import { loadTree, wrapInPage } from '../html/load-tree.js'
import type { ParserInput, ParsedPage, ParsePlan } from '../parser.js'

/** Tests for audio and video, which other formats are made from. */
export const isSilent = (mediaType: string, { mayBeMedia }: ParsePlan): boolean =>
  mayBeMedia === true && /^(?:(?:audio|video)\/|application\/(?:ogg|vnd\.ms-asf)$)/.test(mediaType)

/** Creates a page without content, for media files. */
export const makeSilentPage = ({ url }: ParserInput): ParsedPage => ({
  url,
  baseUrl: url,
  $: loadTree(wrapInPage([])),
  text: '',
  markdown: '',
  isFile: true,
  warnings: [],
})
