import { createEngine } from 'trawl'

/**
 * The extractor that the scorer loads for sets whose reference texts leave the headline out: a page's main content, with
 * every option as it comes, without the first heading that says what the page's title says.
 */
const engine = createEngine({ threads: 0 })

const wordsOf = (text) =>
  ` ${
    (text ?? '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `

export const extract = async (html, url) => {
  const { markdown, metadata } = await engine.parse({ body: html, url: url.trim() })
  const titles = [metadata.title, metadata.ogTitle].flat().map(wordsOf)
  const isHeadline = (line) => /^#{1,6} /.test(line) && titles.some((title) => title.includes(wordsOf(line)))
  const lines = markdown.split('\n')
  const headline = lines.findIndex(isHeadline)
  return { markdown: lines.filter((_, at) => at !== headline).join('\n') }
}
