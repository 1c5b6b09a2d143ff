import { createEngine } from 'trawl'

/** An app that uses the library on a site, and prints what came of it. It runs as it is, and in bundles of any format. */
async function main() {
  const [site] = process.argv.slice(2)
  let threads = 0
  process.on('worker', () => (threads += 1))
  const engine = createEngine({ allowPrivateNetworks: true, threads: 2 })
  const { markdown } = await engine.scrape(`${site}/long`)
  const file = await engine.scrape(`${site}/file.pdf`)
  const warnings = []
  const job = engine.crawl({ url: `${site}/`, limit: 10 })
  for await (const document of job) warnings.push(document.warning ?? '')
  const { status, completed, error } = await job.status()
  await engine.close()
  console.log(
    JSON.stringify({
      markdown: markdown.slice(0, 40),
      file: file.markdown,
      warnings,
      status,
      completed,
      error,
      hasThreads: threads > 0,
    }),
  )
}

void main()
