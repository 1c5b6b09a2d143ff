import { loadTree, wrapInPage } from '../html/load-tree.js'
import type { ParserInput, ParsedPage, ParsePlan } from '../parser.js'

/**
 * Tests for an audio or video file that is accepted without parsing, because a format such as a transcript reads the
 * file itself.
 */
export const isAcceptedMedia = (mediaType: string, { mayBeMedia }: ParsePlan): boolean =>
  mayBeMedia === true && /^(?:(?:audio|video)\/|application\/(?:ogg|vnd\.ms-asf)$)/.test(mediaType)

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
