// What `npm start` runs: crawls the documentation site that lies beside this file, or the site of any URL given.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { serveDocs } from './serve-docs.mjs'

const [given, ...flags] = process.argv.slice(2)
const site = await serveDocs()
const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const args = [cli, 'crawl', given ?? site.url, '--output', 'trawl-out/', ...flags]
const child = spawn(process.execPath, args, { stdio: 'inherit' })
// Ctrl-C reaches the child by itself: it finishes cleanly, and this process ends with it.
process.on('SIGINT', () => undefined)
child.on('exit', (code) => {
  void site.close()
  process.exitCode = code ?? 1
})
