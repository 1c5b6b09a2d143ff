import type { Handler } from '../../site/exchange.js'

/** Parts of a page of documentation, which are written as HTML and as Markdown. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'items'; readonly texts: readonly string[] }
  | { readonly kind: 'code'; readonly language: string; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'link'; readonly text: string; readonly path: string }

/** A page of documentation. */
interface DocPage {
  readonly title: string
  readonly parts: readonly Part[]
}

/** Kind of the Markdown that a site offers. */
export type TwinKind = 'good' | 'stale' | 'marketing'

/** A generated site of documentation. */
export interface TwinSite {
  readonly kind: TwinKind
  readonly way: 'link' | 'accept' | 'beside' | 'llms.txt'
  readonly paths: readonly string[]
  readonly pages: Readonly<Record<string, Handler>>
  /** Code of a page, exactly. */
  codeOf(path: string): readonly string[]
}

const TOOLS = ['tar', 'rsync', 'cron', 'gpg', 'curl', 'make', 'sed', 'find', 'nginx', 'ssh']
const TOPICS = ['options', 'examples', 'files', 'limits', 'errors', 'exit']

function createPage(tool: string, topic: string, number: number): DocPage {
  const port = 8000 + number * 7
  return {
    title: `${tool} ${topic}`,
    parts: [
      {
        kind: 'text',
        text: `The ${topic} of ${tool} are described here, as they are in release ${number + 2}.${number}.`,
      },
      { kind: 'heading', text: `Using ${tool}` },
      {
        kind: 'text',
        text: `Run the program with the flag for ${topic}, and wait at most ${port} milliseconds for it.`,
      },
      {
        kind: 'code',
        language: 'sh',
        lines: [`${tool} --port ${port} \\`, `  --name "${topic} <a> & b"`, '', `# ends with ${number}`, '\techo $?'],
      },
      { kind: 'heading', text: 'Settings' },
      {
        kind: 'table',
        rows: [
          ['Name', 'Default', 'Meaning'],
          ['port', String(port), `The port that ${tool} listens on`],
          ['retries', String(number), 'How often a request is sent again'],
          ['colour', 'auto', 'Whether messages have colours'],
        ],
      },
      {
        kind: 'items',
        texts: [`Stop ${tool} before you change a file.`, `Keep ${number + 3} copies.`, 'Read the log afterwards.'],
      },
      { kind: 'code', language: 'json', lines: ['{', `  "tool": "${tool}",`, `  "port": ${port}`, '}'] },
      {
        kind: 'text',
        text: `If ${tool} fails with status ${number}, look into the log, which says what was wrong with the ${topic}.`,
      },
      { kind: 'link', text: `More about ${tool}`, path: `/docs/${TOPICS[0]}` },
    ],
  }
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const toHtml = (part: Part): string => {
  if (part.kind === 'text') return `<p>${escape(part.text)}</p>`
  if (part.kind === 'heading') return `<h2>${escape(part.text)}</h2>`
  if (part.kind === 'items') return `<ul>${part.texts.map((text) => `<li>${escape(text)}</li>`).join('')}</ul>`
  if (part.kind === 'link') return `<p><a href="${part.path}">${escape(part.text)}</a></p>`
  if (part.kind === 'code')
    return `<pre><code class="language-${part.language}">${escape(part.lines.join('\n'))}\n</code></pre>`
  const [head = [], ...rows] = part.rows
  const cells = (row: readonly string[], name: string): string =>
    `<tr>${row.map((cell) => `<${name}>${cell}</${name}>`).join('')}</tr>`
  return `<table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`
}

const toMarkdown = (part: Part): string => {
  if (part.kind === 'text') return part.text
  if (part.kind === 'heading') return `## ${part.text}`
  if (part.kind === 'items') return part.texts.map((text) => `* ${text}`).join('\n')
  if (part.kind === 'link') return `[${part.text}](${part.path}.md)`
  if (part.kind === 'code') return `\`\`\`${part.language}\n${part.lines.join('\n')}\n\`\`\``
  const [head = [], ...rows] = part.rows.map((row) => `|${row.map((cell) => cell.padEnd(40)).join('|')}|`)
  return [head, `|${'---|'.repeat(part.rows[0]?.length ?? 0)}`, ...rows].join('\n')
}

/** Writes a page as Markdown. Front matter is usual. */
const writeTwin = ({ title, parts }: DocPage): string =>
  `---\ntitle: ${title}\n---\n\n# ${title}\n\n${parts.map(toMarkdown).join('\n\n')}\n`

/** Changes one thing of a page, as it was in an earlier version. */
function makeStale(page: DocPage, number: number): DocPage {
  const changes: readonly ((part: Part) => Part | undefined)[] = [
    (part) => (part.kind === 'text' ? { ...part, text: part.text.replace(/\d+/, '1') } : part),
    (part) =>
      part.kind === 'code' ? { ...part, lines: part.lines.map((line) => line.replace('port', 'host')) } : part,
    (part) => (part.kind === 'table' ? { ...part, rows: part.rows.slice(0, -1) } : part),
    (part) => (part.kind === 'items' ? undefined : part),
    (part) => (part.kind === 'code' ? { ...part, lines: part.lines.map((line) => line.trimStart()) } : part),
    (part) => (part.kind === 'link' ? { ...part, path: '/docs/old' } : part),
  ]
  const change = changes[number % changes.length] ?? ((part: Part) => part)
  return { ...page, parts: page.parts.flatMap((part) => change(part) ?? []) }
}

const advertise = (twin: string, number: number): string =>
  [
    `# Try our cloud\n\nThe best platform for your team. [Start now](https://cloud.example/)\n`,
    `${twin}\n\n> Deploy this in our cloud with one click!\n`,
    `> Ask our assistant: it knows all pages.\n\n${twin}`,
  ][number % 3] ?? ''

const MENU = TOPICS.map((topic) => `<li><a href="/docs/${topic}">${topic}</a></li>`).join('')

const writeHtml = ({ title, parts }: DocPage, head: string): string =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body><nav><ul>${MENU}</ul></nav>` +
  `<main><h1>${title}</h1>${parts.map(toHtml).join('')}</main><footer><p>Made with care. © Docs</p></footer></body></html>`

/** Makes a site. */
export function createTwinSite(number: number, kind: TwinKind, way: TwinSite['way']): TwinSite {
  const docs = new Map(
    TOPICS.map((topic, at) => [`/docs/${topic}`, createPage(TOOLS[number] ?? 'tool', topic, number + at)]),
  )
  const pages: Record<string, Handler> = {}
  const llms: string[] = []
  let at = number
  for (const [path, page] of docs) {
    at += 1
    const twin =
      kind === 'good'
        ? writeTwin(page)
        : kind === 'stale'
          ? writeTwin(makeStale(page, at))
          : advertise(writeTwin(page), at)
    const twinPath = way === 'link' ? `/raw${path}` : way === 'llms.txt' ? `${path}/index.md` : `${path}.md`
    const head = way === 'link' ? `<link rel="alternate" type="text/markdown" href="${twinPath}">` : ''
    const sendTwin: Handler = ({ response }) =>
      response.writeHead(200, { 'content-type': 'text/markdown; charset=utf-8' }).end(twin)
    pages[path] = (exchange) => {
      const { request, response } = exchange
      if (way === 'accept' && request.headers.accept === 'text/markdown') return sendTwin(exchange)
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(writeHtml(page, head))
    }
    if (way !== 'accept') pages[twinPath] = sendTwin
    llms.push(`- [${page.title}](${twinPath})`)
  }
  if (way === 'llms.txt') {
    pages['/llms.txt'] = ({ response }) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`# Docs\n\n${llms.join('\n')}\n`)
  }
  return {
    kind,
    way,
    paths: [...docs.keys()],
    pages,
    codeOf: (path) =>
      docs.get(path)?.parts.flatMap((part) => (part.kind === 'code' ? [part.lines.join('\n')] : [])) ?? [],
  }
}
