import { loadTree, wrapInPage } from '../html/load-tree.js'
import type { ParserInput, ParsedPage } from '../parser.js'

/** Tests for an audio or video file, which a format such as a transcript reads itself. */
export const isMedia = (mediaType: string): boolean =>
  /^(?:(?:audio|video)\/|application\/(?:ogg|vnd\.ms-asf)$)/.test(mediaType)

/** Creates an empty page for an audio or video file. */
export const makeMediaPage = ({ url }: ParserInput): ParsedPage => ({
  url,
  baseUrl: url,
  tree: loadTree(wrapInPage([])),
  text: '',
  markdown: '',
  isFile: true,
  warnings: [],
})
