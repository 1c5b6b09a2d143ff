import { expect, it } from 'vitest'
import { createEngine, sqlite } from '../../../src/index.js'
import { runAndKill, settings } from '../../kernel/ledger/run-and-kill.js'
import { useSqliteFiles } from '../../kernel/ledger/use-sqlite-files.js'
import { startSite } from '../../site/site.js'

const { newFile } = useSqliteFiles()

it('`watch()`, `pause()` and `check()` promise what is in the file when the process is killed as soon as they resolve', async () => {
  const pages = { '/ready0': '<h1>Page 0</h1><p>Its text.</p>', '/ready1': '<h1>Page 1</h1><p>Its text.</p>' }
  await using site = await startSite({ pages })
  const file = newFile()
  const code = `
    const watch = await engine.watch({ name: 'w', targets: [{ urls: urls('/ready', 2) }], every: '6h' })
    await watch.pause()
    await watch.check()`
  await runAndKill(code, file, site)
  await using engine = createEngine({ ...settings, ledger: sqlite(file) })
  const [watch] = await engine.watches()
  expect(await watch?.status()).toMatchObject({ paused: true })
  expect(await watch?.results()).toHaveLength(2)
})
