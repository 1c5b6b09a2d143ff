import { readFile } from 'node:fs/promises'
import { stdin } from 'node:process'
import { addAbortSignal } from 'node:stream'
import { UsageError } from './usage-error.js'

/** URLs of a list, with their places. */
interface UrlList {
  readonly urls: readonly unknown[]
  /** Names the list, or the place of the URL with this index, from 0: `list.txt:12`. */
  nameOf(index?: number): string
}

/**
 * Reads URLs from a file, or from standard input for `-`.
 *
 * @throws UsageError if it cannot be read
 */
export async function readUrlList(file: string, signal: AbortSignal): Promise<UrlList> {
  const name = file === '-' ? 'standard input' : file
  if (/^https?:\/\//i.test(file))
    throw new UsageError([`FILE: ${file} is a URL, and no file of URLs: \`trawl scrape ${file}\` scrapes it`])
  try {
    return parseUrlList(
      file === '-' ? await readInput(signal) : await readFile(file, { encoding: 'utf8', signal }),
      name,
    )
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof UsageError ? error : new UsageError([`cannot read ${name}: ${reasonOf(error)}`])
  }
}

/** Removes a comment: `#` at the start of a line, or after white space, which no URL has before its fragment. */
function withoutComment(line: string): string {
  const at = [line.indexOf(' #'), line.indexOf('\t#')].filter((place) => place >= 0)
  return line.slice(0, Math.min(line.length, ...at)).trim()
}

/**
 * Parses a list: one URL per line, trimmed, without empty lines and comments; or a JSON array.
 *
 * @throws UsageError for invalid JSON
 */
export function parseUrlList(content: string, name: string): UrlList {
  const text = content.replace(/^\uFEFF/, '')
  if (text.trimStart().startsWith('[')) return parseArray(text, name)
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => ({
    url: withoutComment(line),
    place: `${name}:${index + 1}`,
  }))
  const kept = lines.filter(({ url }) => url !== '' && !url.startsWith('#'))
  return {
    urls: kept.map(({ url }) => url),
    nameOf: (index) => (index === undefined ? name : (kept[index]?.place ?? name)),
  }
}

function parseArray(text: string, name: string): UrlList {
  try {
    const urls: unknown = JSON.parse(text)
    return {
      urls: Array.isArray(urls) ? urls : [],
      nameOf: (index) => (index === undefined ? name : `${name} [${index}]`),
    }
  } catch (error) {
    throw new UsageError([`${name} begins with [ and is not a valid JSON array: ${reasonOf(error)}`])
  }
}

async function readInput(signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of addAbortSignal(signal, stdin)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
