import { createHash } from 'node:crypto'
import { makeRandom } from '../../site/edited-page.js'
import { type Site, startSite } from '../../site/site.js'

interface MadePage {
  title: string
  /** Paths of pictures that it shows. */
  pictures: string[]
  sections: { heading: string; text: string }[]
}

/** What goes wrong during a crawl. */
export type Incident = 'none' | 'outage' | 'limit' | 'cancel' | 'refused' | 'broken-sitemap'

/** A site that changes by chance, the same way for the same seed. */
export class MadeSite {
  readonly #random: (below: number) => number
  readonly #pages = new Map<string, MadePage>()
  readonly #redirects = new Map<string, string>()
  readonly #gone = new Set<string>()
  readonly #disallowed = new Set<string>()
  /** Bytes of pictures, by path; several have the same. */
  readonly #pictures = new Map<string, string>()
  #serial = 0
  #template = 0
  /** Paths that answer with an error for now. */
  failing = new Map<string, number>()
  site!: Site

  private constructor(seed: number) {
    this.#random = makeRandom(seed)
  }

  static async start(seed: number): Promise<MadeSite> {
    const made = new MadeSite(seed)
    made.#pages.set('/', made.#makePage())
    for (let page = 0; page < 6 + made.#random(6); page += 1) made.#add()
    made.site = await startSite({ pages: new Proxy({}, { get: () => (exchange: never) => made.#answer(exchange) }) })
    return made
  }

  get start(): string {
    return this.site.url('/')
  }

  below(limit: number): number {
    return this.#random(limit)
  }

  /** Returns the status that the site has for a URL in the end, without what goes wrong. */
  statusOf(url: string): number {
    let { pathname } = new URL(url)
    for (
      let to = this.#redirects.get(pathname);
      to !== undefined && !this.#pages.has(pathname);
      to = this.#redirects.get(to)
    )
      pathname = to
    if (this.#pages.has(pathname)) return 200
    return this.#gone.has(pathname) ? 410 : 404
  }

  /** Changes the site, one to four times. */
  change(): void {
    for (let left = 1 + this.#random(4); left > 0; left -= 1) this.#changeOnce()
  }

  /** Changes the menu and the footer of every page. */
  retouch(): void {
    this.#template += 1
  }

  /** Changes a page that shows it for each picture: pictures alone are not asked for. */
  touchPictures(): void {
    const pages = [...this.#pages].flatMap(([path, page]) => (this.#disallowed.has(path) ? [] : [page]))
    for (const path of this.#pictures.keys()) {
      const page = pages.find(({ pictures }) => pictures.includes(path))
      if (page) page.title = `Title ${(this.#serial += 1)}`
    }
  }

  /** Lets something go wrong with the next crawl. */
  breakOff(): Incident {
    const incidents: Incident[] = ['none', 'none', 'outage', 'limit', 'cancel', 'refused']
    const incident = incidents[this.#random(incidents.length)] ?? 'none'
    const victims = [...this.#pages.keys()].filter((path) => path !== '/')
    if (incident === 'outage' || incident === 'refused')
      for (const path of victims.filter(() => this.#random(3) === 0))
        this.failing.set(path, incident === 'outage' ? 0 : 403)
    return this.failing.size === 0 && (incident === 'outage' || incident === 'refused') ? 'none' : incident
  }

  #changeOnce(): void {
    const paths = [...this.#pages.keys()].filter((path) => path !== '/')
    const path = paths[this.#random(paths.length)] ?? '/'
    const page = this.#pages.get(path)
    if (!page) return
    const kind = this.#random(13)
    if (kind === 0) this.#add()
    else if (kind === 1 && paths.length > 3) this.#remove(path)
    else if (kind === 2 || kind === 3) this.#move(path, kind === 2)
    else if (kind === 4) this.retouch()
    else if (kind === 5) {
      // One page becomes two.
      const half = page.sections.splice(Math.ceil(page.sections.length / 2))
      this.#pages.set(this.#newPath(), {
        title: `${page.title}, continued`,
        pictures: [...page.pictures],
        sections: half,
      })
    } else if (kind === 6 && paths.length > 3) {
      // Two pages become one.
      const other = paths.find((one) => one !== path)
      const merged = other === undefined ? undefined : this.#pages.get(other)
      if (other === undefined || !merged) return
      merged.sections.push(...page.sections)
      this.#pages.delete(path)
      this.#redirects.set(path, other)
    } else if (kind === 7) {
      if (!this.#disallowed.delete(path)) this.#disallowed.add(path)
    } else if (kind === 8) page.title = `Title ${(this.#serial += 1)}`
    else if (kind === 11) page.pictures = this.#choosePictures()
    else if (kind === 12) for (const shown of page.pictures) this.#pictures.set(shown, `${this.#random(9)}`)
    else if (kind === 9) page.sections.splice(this.#random(page.sections.length + 1), 0, this.#makeSection())
    else {
      const section = page.sections[this.#random(page.sections.length)]
      if (section) section.text = this.#makeText()
    }
  }

  #add(): void {
    this.#pages.set(this.#newPath(), this.#makePage())
  }

  #newPath(): string {
    const paths = [
      `/p${(this.#serial += 1)}`,
      `/Docs/p${this.#serial}.html`,
      `/docs/P${this.#serial}/`,
      `/q?n=${this.#serial}`,
    ]
    return paths[this.#random(3)] ?? '/x'
  }

  #remove(path: string): void {
    this.#pages.delete(path)
    if (this.#random(2) === 0) this.#gone.add(path)
  }

  #move(path: string, redirects: boolean): void {
    const page = this.#pages.get(path)
    if (!page) return
    const to = this.#newPath()
    this.#pages.delete(path)
    this.#pages.set(to, page)
    if (redirects) this.#redirects.set(path, to)
  }

  #makePage(): MadePage {
    return {
      title: `Title ${(this.#serial += 1)}`,
      pictures: this.#choosePictures(),
      sections: Array.from({ length: 2 + this.#random(4) }, () => this.#makeSection()),
    }
  }

  #choosePictures(): string[] {
    return Array.from({ length: this.#random(3) }, () => {
      const path = `/pictures/${this.#random(5)}.png`
      if (!this.#pictures.has(path)) this.#pictures.set(path, `${this.#random(9)}`)
      return path
    })
  }

  #makeSection(): MadePage['sections'][number] {
    return { heading: `Heading ${(this.#serial += 1)}`, text: this.#makeText() }
  }

  /** Words that no other text has. */
  #makeText(): string {
    const serial = (this.#serial += 1)
    const word = (at: number): string =>
      createHash('sha1').update(`${serial} ${at}`).digest('hex').slice(0, 7).replace(/\d/g, 'e')
    return Array.from({ length: 30 }, (_, at) => word(at)).join(' ')
  }

  #answer({
    request,
    response,
    url,
  }: {
    request: { headers: Record<string, string> }
    response: Response
    url: URL
  }): void {
    const { pathname } = url
    const send = (status: number, body: string, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'text/html', ...headers })
      response.end(body)
    }
    if (pathname === '/robots.txt') {
      const lines = [...this.#disallowed].map((path) => `Disallow: ${path}$`)
      return send(200, ['User-agent: *', ...lines, ''].join('\n'), { 'content-type': 'text/plain' })
    }
    const failing = this.failing.get(pathname)
    if (failing === 0) {
      response.destroy()
      return
    }
    if (failing !== undefined) return send(failing, '<p>Not now.</p>')
    const to = this.#redirects.get(pathname)
    if (to !== undefined && !this.#pages.has(pathname)) return send(301, '', { location: to })
    if (this.#gone.has(pathname)) return send(410, '<p>It is gone.</p>')
    const picture = this.#pictures.get(pathname)
    if (picture !== undefined) {
      const etag = `"${picture}"`
      if (request.headers['if-none-match'] === etag) return send(304, '', { etag })
      response.writeHead(200, { 'content-type': 'image/png', etag })
      return response.end(Buffer.from(`\x89PNG\r\n\x1a\n${picture}`, 'latin1'))
    }
    const page = this.#pages.get(pathname)
    if (!page) return send(404, '<p>There is no such page.</p>')
    const body = this.#print(pathname, page)
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`
    if (request.headers['if-none-match'] === etag) return send(304, '', { etag })
    send(200, body, { etag })
  }

  #print(path: string, { title, pictures, sections }: MadePage): string {
    // The start page links to all, and to what is gone or has moved: some of that is met, and some is not.
    const links = path === '/' ? [...this.#pages.keys(), ...this.#redirects.keys(), ...this.#gone] : ['/']
    const items = links.map((link) => `<li><a href="${link}">${link === '/' ? 'Home' : 'A page'}</a></li>`).join('')
    const menu = Array.from({ length: 6 }, (_, at) => `<a href="/">Menu ${this.#template} ${at}</a>`).join(' ')
    const text = sections.map(({ heading, text: words }) => `<h2>${heading}</h2><p>${words}.</p>`).join('')
    const shown = pictures
      .map((one) => `<p><img src="${one}" alt="What is shown" width="300" height="200"></p>`)
      .join('')
    return (
      `<!doctype html><html lang="en"><title>${title}</title><body><header><nav>${menu}</nav></header>` +
      `<main><h1>${title}</h1>${text}${shown}</main><nav><ul>${items}</ul></nav>` +
      `<footer><p>Version ${this.#template} of the footer</p></footer></body></html>`
    )
  }
}

interface Response {
  writeHead(status: number, headers: Record<string, string>): void
  end(body: string | Buffer): void
  destroy(): void
}
