import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { features } from '../../src/features/index.js'
import { copyWithout, identifierOf, print } from './without-feature.js'

describe.each(features.map(({ name }) => name))('without the feature %s', (name) => {
  it('the sources compile', async () => {
    using tree = copyWithout([name], ['src', 'package.json', 'tsconfig.json'])
    const list = readFileSync(join(tree.folder, 'src/features/index.ts'), 'utf8')
    expect(list).not.toMatch(new RegExp(`\\b(?:${name}|${identifierOf(name)})\\b`))
    const config = {
      extends: './tsconfig.json',
      include: ['src'],
      exclude: ['src/kernel/injected', 'src/features/report-view'],
    }
    writeFileSync(join(tree.folder, 'tsconfig.src.json'), JSON.stringify(config))
    expect(await print(tree.folder, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.src.json'])).toBe('')
  }, 240_000)
})
