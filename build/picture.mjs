/**
 * Draws the pictures of the README: a crawl of the documentation site in `test/site/docs/`, its report, and what `--watch` shows of it
 * half-way, as screenshots in the browser of the development tools. Run `npm run build` first, then `npm run docs:picture`.
 *
 * `node build/picture.mjs FOLDER` also writes each view at the sizes and in the themes that readers have, to look at.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { createEngine, writeReport } from '../dist/index.js'
import { serveDocs } from '../test/site/serve-docs.mjs'

const pictures = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const [folder] = process.argv.slice(2)
const work = await mkdtemp(join(tmpdir(), 'trawl-picture-'))
const site = await serveDocs()
const engine = createEngine({ allowPrivateNetworks: true })
const browser = await chromium.launch({ executablePath: await findBrowser(), chromiumSandbox: false })

try {
  const job = engine.crawl({
    url: site.url,
    scrapeOptions: { formats: ['markdown', 'links', 'rawHtml'], trace: true },
  })
  const { status } = await job.finished()
  if (status !== 'completed') throw new Error(`the crawl is ${status}`)
  const report = join(work, 'report.html')
  await writeReport(job, report)
  const { data } = await job.status({ limit: 100 })
  const shown = data.find(({ metadata }) => metadata.url.endsWith('/guides/first-schedule.html'))
  // The name of the site, in place of the address of this machine.
  const named = JSON.parse(JSON.stringify(shown).replaceAll(site.url, 'https://almanac.example/'))
  await writeReport(named, join(work, 'page.html'))
  await mkdir(pictures, { recursive: true })
  await draw(join(work, 'page.html'), '', join(pictures, 'page.jpg'), { width: 920, height: 460 })
  await writeFile(join(work, 'watch.html'), await watchCrawl())
  await draw(join(work, 'watch.html'), '', join(pictures, 'watch.jpg'), { width: 920, height: 240 })
  if (folder !== undefined) await drawAll(report, join(work, 'page.html'))
} finally {
  await browser.close()
  await engine.close()
  await site.close()
  await rm(work, { recursive: true })
}

/** Crawls on the command line with `--watch`, as slowly as a distant site, and makes a page of what the terminal shows half-way. */
async function watchCrawl() {
  const terminal = 'data:text/javascript,Object.assign(process.stderr, { isTTY: true, columns: 100, rows: 24 })'
  const slow = ['--delay', '0.2', '--max-concurrency', '2', '--private-networks', '--cache', 'false']
  const args = ['crawl', site.url, '--output', join(work, 'pages'), '--watch', ...slow]
  const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const child = spawn(process.execPath, ['--import', terminal, command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let shown = ''
  for await (const part of child.stderr.setEncoding('utf8')) shown += part
  // Each view ends with what clears the rest of the screen.
  const views = shown.split('\u001b[J').slice(0, -2)
  const whole = views.slice(views.length / 2).find((view) => view.includes('Skipped') && view.includes('fetch'))
  if (whole === undefined) throw new Error(`no view of the crawl was drawn: ${shown}`)
  const text = whole
    // oxlint-disable-next-line no-control-regex -- what moves the cursor of a terminal
    .replace(/\u001b\[[?\d]*[A-Za-z]|\r/g, '')
    .replaceAll(site.url, 'https://almanac.example/')
    .replaceAll(new URL(site.url).host, 'almanac.example')
    .trim()
  const prompt = '$ npx trawl crawl https://almanac.example/ --output almanac/ --watch\n\n'
  return `<style>body { margin: 0; padding: 20px; background: #1b1f24; color: #d7dde4; font: 15px/1.5 monospace }</style>
    <pre>${(prompt + text).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
}

/** Writes a screenshot of a view of a report. */
async function draw(file, hash, path, { width, height, colorScheme = 'light', media = 'screen', isMobile = false }) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, isMobile })
  await page.goto(pathToFileURL(file).href + hash)
  // Once the view is drawn: a reader prints what was on the screen.
  await page.waitForTimeout(500)
  await page.emulateMedia({ media, colorScheme })
  await page.waitForTimeout(500)
  await page.screenshot({ path, ...(path.endsWith('.jpg') && { quality: 82 }) })
  await page.close()
}

async function drawAll(report, single) {
  await mkdir(folder, { recursive: true })
  const sizes = {
    desktop: { width: 1280, height: 900 },
    dark: { width: 1280, height: 900, colorScheme: 'dark' },
    phone: { width: 390, height: 844, isMobile: true },
    print: { width: 800, height: 1100, media: 'print' },
  }
  const views = ['overview', 'pages', 'site', 'templates', 'boilerplate', 'page/1']
  for (const [name, size] of Object.entries(sizes)) {
    for (const view of views)
      await draw(report, `#${view}`, join(folder, `${view.replace('/', '-')}-${name}.png`), size)
    await draw(single, '', join(folder, `show-${name}.png`), size)
  }
}

/** Finds a browser: the one of playwright, or what trawl itself finds. */
async function findBrowser() {
  const { existsSync } = await import('node:fs')
  const own = chromium.executablePath()
  if (existsSync(own)) return own
  const { default: packed } = await import('@sparticuz/chromium')
  return packed.executablePath()
}
