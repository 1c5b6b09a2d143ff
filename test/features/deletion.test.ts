import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { features } from '../../src/features/index.js'
import { copyWithout, entries, identifierOf, print } from './without-feature.js'

// The long tests remove each feature alone: `deletion-whole.test.ts`.
it('without any feature, the sources compile', async () => {
  const names = [...features.map(({ name }) => name), ...entries]
  using tree = copyWithout(names, ['src', 'package.json', 'tsconfig.json'])
  const list = readFileSync(join(tree.folder, 'src/features/index.ts'), 'utf8')
  for (const name of names) expect(list).not.toMatch(new RegExp(`\\b(?:${name}|${identifierOf(name)})\\b`))
  const config = {
    extends: './tsconfig.json',
    include: ['src'],
    exclude: ['src/features/*/injected', 'src/features/report-view'],
  }
  writeFileSync(join(tree.folder, 'tsconfig.src.json'), JSON.stringify(config))
  expect(await print(tree.folder, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.src.json'])).toBe('')
}, 240_000)
