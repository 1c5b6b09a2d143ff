import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { features } from '../../src/features/index.js'
import type { Feature } from '../../src/kernel/engine/feature.js'
import { copyWithout, entries, print } from './without-feature.js'

const files = [
  '.oxfmtrc.json',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.injected.json',
  'vitest.config.ts',
  'vitest.bars.config.ts',
]
const folders = ['src', 'test', 'build', 'benchmarks', 'docs', 'README.md', 'CHANGELOG.md']
const tsc = 'node_modules/typescript/bin/tsc'
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'shared', '--reporter', 'dot']
/** Tests of the kernel, of all that features hook into. */
const kernel = [
  'test/kernel/options',
  'test/kernel/plan',
  'test/kernel/page',
  'test/kernel/engine/parse',
  'test/kernel/job/crawl',
]

const each: readonly Pick<Feature, 'name' | 'options'>[] = [...features, ...entries.map((name) => ({ name }))]

describe.each(each.map(({ name, options }) => ({ name, options })))('without the feature $name', (feature) => {
  it('trawl is built, its tests compile, and its reference is written', async () => {
    using tree = copyWithout([feature.name], [...files, ...folders])
    const { folder } = tree
    expect(await print(folder, ['build/injected.mjs'])).not.toContain('failed:')
    expect(await print(folder, [tsc, '-p', 'tsconfig.build.json'])).toBe('')
    expect(await print(folder, ['build/bundle.mjs'])).not.toContain('failed:')
    expect(await print(folder, [tsc, '-p', 'tsconfig.json'])).toBe('')
    const written = await print(folder, [...vitest, 'test/docs/reference.test.ts'], { WRITE_DOCS: '1' })
    expect(written).not.toContain('failed:')
    const reference = ['options', 'feature-options', 'job-options', 'crawl-options', 'map-options']
      .map((name) => readFileSync(join(folder, `docs/reference/${name}.md`), 'utf8'))
      .join('\n')
    for (const option of Object.keys({ ...feature.options?.page, ...feature.options?.job, ...feature.options?.crawl }))
      // Its section: an object may have a field of the same name.
      expect(reference).not.toMatch(new RegExp(`^#+ .*\`${option}\``, 'm'))
  }, 1_200_000)
})

describe('without any feature', () => {
  it('the tests of the kernel pass', async () => {
    using tree = copyWithout(
      each.map(({ name }) => name),
      [...files, ...folders],
    )
    const { folder } = tree
    expect(await print(folder, ['build/injected.mjs'])).not.toContain('failed:')
    expect(await print(folder, [tsc, '-p', 'tsconfig.build.json'])).toBe('')
    expect(await print(folder, ['build/bundle.mjs'])).not.toContain('failed:')
    expect(await print(folder, [...vitest, ...kernel])).not.toContain('failed:')
  }, 1_200_000)
})
