import { createHash, randomUUID } from 'node:crypto'
import { appendFile, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../../base/runtime/make-folder.js'
import { VERSION } from '../../../base/runtime/version.js'
import { ZipWriter } from './zip-writer.js'

/** Folder of the parts of a WACZ that is not packed yet. */
export const partsOf = (path: string): string => `${path}.parts`

const PAGES = 'pages.jsonl'
const HEAD = { format: 'json-pages-1.0', id: 'pages', title: 'Pages' }

/** The list of the pages of a WACZ, which viewers show. */
export class WaczPages {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Adds a page. */
  async add(
    url: string,
    { metadata }: { readonly metadata?: { readonly title?: unknown } },
    timeMs: number,
  ): Promise<void> {
    const title = metadata?.title
    const line = {
      id: randomUUID(),
      url,
      ts: new Date(timeMs).toISOString(),
      ...(typeof title === 'string' && { title }),
    }
    await makeFolder(partsOf(this.path))
    await appendFile(join(partsOf(this.path), PAGES), `${JSON.stringify(line)}\n`)
  }
}

/** Packs the parts of a WACZ, and removes them. @see https://specs.webrecorder.net/wacz/1.1.1/ */
export async function packWacz(path: string, nowMs: number): Promise<void> {
  const folder = partsOf(path)
  const names = (await readdir(folder).catch((): string[] => [])).toSorted()
  const warcs = names.filter((name) => /\.warc(?:\.gz)?$/.test(name))
  if (warcs.length === 0) return
  const temporary = `${path}.new`
  const zip = new ZipWriter(await open(temporary, 'w'), new Date(nowMs))
  const resources: object[] = []
  const add = async (name: string, content: AsyncIterable<Uint8Array> | Buffer): Promise<void> => {
    const { hash, bytes } = await zip.add(name, content)
    resources.push({ name: name.split('/').at(-1), path: name, hash: `sha256:${hash}`, bytes })
  }
  for (const name of warcs) await add(`archive/${name}`, chunksOf(join(folder, name)))
  const lines: string[] = []
  for (const name of names.filter((one) => one.endsWith('.cdxj')))
    lines.push(...(await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line !== ''))
  await add(
    'indexes/index.cdxj',
    Buffer.from(
      lines
        .toSorted()
        .map((line) => `${line}\n`)
        .join(''),
    ),
  )
  const pages = await readFile(join(folder, PAGES), 'utf8').catch(() => '')
  // The last line may be torn.
  await add('pages/pages.jsonl', Buffer.from(`${JSON.stringify(HEAD)}\n${pages.slice(0, pages.lastIndexOf('\n') + 1)}`))
  const created = new Date(nowMs).toISOString()
  const facts = { profile: 'data-package', wacz_version: '1.1.1', software: `trawl/${VERSION}`, created, resources }
  const datapackage = Buffer.from(JSON.stringify(facts, undefined, 2))
  await zip.add('datapackage.json', datapackage)
  const hash = `sha256:${createHash('sha256').update(datapackage).digest('hex')}`
  await zip.add('datapackage-digest.json', Buffer.from(JSON.stringify({ path: 'datapackage.json', hash })))
  await zip.end()
  await rename(temporary, path)
  await rm(folder, { recursive: true })
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  try {
    for await (const chunk of file.createReadStream({ autoClose: false })) yield chunk as Uint8Array
  } finally {
    await file.close()
  }
}
