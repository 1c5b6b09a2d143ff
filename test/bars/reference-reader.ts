import { createHash } from 'node:crypto'
import { Agent, get } from 'node:http'
import { Parser } from 'htmlparser2'

/** What a second crawler reads of a page. */
export interface ReferencePage {
  /** The URL that answered, after redirects. */
  readonly url: string
  /** Whether there is text to be had of it, so that it can be a document. */
  readonly isReadable: boolean
  /** Whether it answered with a success: only then does its content say which page it is. */
  readonly isSuccess: boolean
  /** A digest of its bytes. */
  readonly content: string
  /** Everything that leads on: absolute, each once, in order, without fragments but those of client-side routes. */
  readonly links: readonly string[]
  /** What the page names as its own URL. */
  readonly canonical: string | undefined
}

interface Response {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/**
 * Fetches and reads pages for the reference crawler, each once: a site is the same under every rule set. Nothing of
 * `src/` is in it, so that an error made there is not made here again.
 */
export class ReferenceReader {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #pages = new Map<string, Promise<ReferencePage>>()

  read(url: string): Promise<ReferencePage> {
    const known = this.#pages.get(url)
    if (known) return known
    const page = this.#follow(url).then(readPage)
    this.#pages.set(url, page)
    return page
  }

  /** A file's text as it is now; undefined when there is none. */
  async readText(url: string): Promise<string | undefined> {
    const { status, body } = await this.#follow(url)
    return status === 200 ? body.toString() : undefined
  }

  close(): void {
    this.#agent.destroy()
  }

  async #follow(url: string): Promise<Response> {
    const response = await this.#request(url)
    const target = response.headers.location?.toString() ?? findRefresh(response)
    return target === undefined ? response : this.#follow(new URL(target, url).href)
  }

  #request(url: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      const sent = get(url, { agent: this.#agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response
          resolve({ url, status, headers, body: Buffer.concat(chunks) })
        })
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server has closed a connection that it kept open, just as it was used again.
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(this.#request(url))
        else reject(error)
      })
    })
  }
}

/** Where a page leads at once, so that it is only seen as the page it leads to. @see docs/compatibility/fetching.md#fetching */
function findRefresh({ url, status, headers, body }: Response): string | undefined {
  if (status !== 200 || headers['content-type']?.toString().includes('html') !== true) return undefined
  const [, target] = /<meta http-equiv="refresh" content="[01]; ?(?:url=)?([^"]+)"/i.exec(body.toString()) ?? []
  return target === undefined || new URL(target, url).href === url ? undefined : target
}

function readPage({ url, status, headers, body }: Response): ReferencePage {
  const type = headers['content-type']?.toString() ?? ''
  const { hrefs, base, canonical } = type.includes('html')
    ? readHtml(decode(body))
    : { hrefs: type.startsWith('text/') ? readText(body.toString()) : [], base: undefined, canonical: undefined }
  const origin = base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url
  const resolve = (href: string, from: string): string[] => {
    if (!URL.canParse(href, from)) return []
    const target = new URL(href, from)
    if (!/^#!?\/./.test(target.hash)) target.hash = ''
    return [target.href]
  }
  return {
    url,
    // A server that does not know the type may send text all the same: no text has a zero in it.
    isReadable: /^text\/|json|xml/.test(type) || (type === 'application/octet-stream' && !body.includes(0)),
    isSuccess: status >= 200 && status < 300,
    content: createHash('sha1').update(body).digest('base64'),
    links: [
      ...new Set([
        ...readHeader(headers['link']).flatMap((href) => resolve(href, url)),
        ...hrefs.flatMap((href) => resolve(href, origin)),
      ]),
    ],
    canonical: canonical === undefined ? undefined : resolve(canonical, origin)[0],
  }
}

/** As the page's own `<meta charset>` says, else UTF-8. */
function decode(bytes: Buffer): string {
  const charset = /charset="?([\w-]+)/i.exec(bytes.toString('latin1', 0, 1024))?.[1]
  return new TextDecoder(charset).decode(bytes)
}

/** Where a page's elements lead. */
function readHtml(html: string): { hrefs: string[]; base: string | undefined; canonical: string | undefined } {
  const hrefs: string[] = []
  let base: string | undefined
  let canonical: string | undefined
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const target = findTarget(name, attributes)
      if (target !== undefined) hrefs.push(target)
      if (name === 'base') base ??= attributes['href']
      if (name === 'link' && attributes['rel']?.toLowerCase() === 'canonical') canonical ??= attributes['href']
    },
  })
  parser.end(html)
  return { hrefs, base, canonical }
}

function findTarget(name: string, attributes: Readonly<Record<string, string>>): string | undefined {
  const { href, src, rel = '', content = '', hreflang } = attributes
  if (name === 'a' || name === 'area') return href
  if (name === 'iframe' || name === 'frame') return src
  if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh')
    return /url\s*=\s*["']?([^"']+)/i.exec(content)?.[1]?.trim()
  if (name !== 'link') return undefined
  const relations = rel.toLowerCase().split(' ')
  const leadsOn = ['next', 'prev', 'canonical'].some((relation) => relations.includes(relation))
  return leadsOn || (relations.includes('alternate') && hreflang !== undefined) ? href : undefined
}

/** Links in text that are written the Markdown way. */
const readText = (text: string): string[] =>
  [...text.matchAll(/\[[^[\]\n]+\]\(\s*<?([^\s<>()]+)|<(https?:\/\/[^\s<>]+)>/g)].map(
    ([, target, address]) => target ?? address ?? '',
  )

const readHeader = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .flatMap((line) =>
      [...line.matchAll(/<([^>]*)>\s*;\s*rel="?(?:next|prev|canonical)/g)].map(([, target]) => target ?? ''),
    )
