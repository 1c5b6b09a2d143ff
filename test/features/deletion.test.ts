import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { features } from '../../src/features/index.js'
import { copyWithout, entries, identifierOf, print } from './without-feature.js'

// The long tests remove each feature alone: `deletion-whole.test.ts`.
it('without any feature, the sources compile, and tests and benchmarks that stay', async () => {
  const names = [...features.map(({ name }) => name), ...entries]
  const parts = ['src', 'test', 'benchmarks', 'build', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts']
  using tree = copyWithout(names, [...parts, 'vitest.bars.config.ts', 'README.md'])
  const list = readFileSync(join(tree.folder, 'src/features/index.ts'), 'utf8')
  for (const name of names) expect(list).not.toMatch(new RegExp(`\\b(?:${name}|${identifierOf(name)})\\b`))
  // There is no build in it, which benchmarks import.
  const config = { extends: './tsconfig.json', compilerOptions: { paths: { trawl: ['./src/index.ts'] } } }
  writeFileSync(join(tree.folder, 'tsconfig.copy.json'), JSON.stringify(config))
  expect(await print(tree.folder, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.copy.json'])).toBe('')
}, 240_000)
