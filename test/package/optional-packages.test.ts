import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { htmlPage } from '../site/exchange.js'
import { startSite, type Site } from '../site/site.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const page = htmlPage(
  'A page',
  `<style>body { background: #123456; color: #fedcba } button { background: #ff0000 }</style>
  <h1>Colours</h1><p id="text">Not pressed.</p><input><button onclick="document.getElementById('text').textContent = 'Pressed.'">Press</button>
  <div class="cookie-banner">We use cookies</div>
  <img src="http://ads.doubleclick.net/banner.png">`,
)

let site: Site
let folder: string

beforeEach(async () => {
  site = await startSite({ pages: { '/first': page, '/second': page } })
  folder = await mkdtemp(join(tmpdir(), 'trawl-optional-'))
  const place = join(folder, 'node_modules', 'trawl')
  await mkdir(place, { recursive: true })
  for (const entry of ['dist', 'package.json']) await cp(join(root, entry), join(place, entry), { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies: { trawl: '*' } }))
  await cp(fileURLToPath(new URL('browser-app.mjs', import.meta.url)), join(folder, 'app.mjs'))
})

afterEach(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the app where these packages are installed beside the library, and no other. */
async function runWith(...packages: string[]): Promise<unknown> {
  for (const name of packages) {
    const place = join(folder, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(root, 'node_modules', name), place)
  }
  const options = { cwd: folder, timeout: 100_000 }
  const { stdout } = await promisify(execFile)(process.execPath, ['app.mjs', site.origin], options)
  return JSON.parse(stdout)
}

it('says what to install where a page needs a browser and nothing drives one', { timeout: 120_000 }, async () => {
  const refusal = { code: 'SCRAPE_NO_BROWSER', message: expect.stringContaining('npm install playwright-core') }
  expect(await runWith()).toEqual([refusal, refusal])
})

it('reads pages by playwright-core alone, and says once what else `blockAds` needs', { timeout: 120_000 }, async () => {
  const shown = {
    markdown: expect.stringContaining('Pressed.'),
    colours: expect.toSatisfy((count: number) => count > 0),
    picture: 'data:image/png;base64,',
    returned: [{ type: expect.any(String), value: 'typed' }],
  }
  expect(await runWith('playwright-core', '@sparticuz/chromium')).toEqual([
    {
      ...shown,
      warning: expect.stringContaining('npm install @ghostery/adblocker @duckduckgo/autoconsent'),
    },
    { ...shown, warning: '' },
  ])
})

it('says what to install where an MCP server is started without the SDK', { timeout: 60_000 }, async () => {
  const cli = join(folder, 'node_modules', 'trawl', 'dist', 'cli', 'main.js')
  const run = promisify(execFile)(process.execPath, [cli, 'mcp'], { cwd: folder })
  await expect(run).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('npm install @modelcontextprotocol/sdk'),
  })
})
