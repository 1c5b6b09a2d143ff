import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { features } from '../../src/features/index.js'
import { featureTasks } from '../../src/features/tasks.js'
import { type Module, parseModule, readModules, walk } from '../architecture/modules.js'
import { entries, pathsOf } from './without-feature.js'

const root = fileURLToPath(new URL('../../src/', import.meta.url))
const modules = readModules(root).filter(({ path }) => path.startsWith('features/'))
const names = features.map(({ name }) => name)
const ownerOf = (path: string): string => path.split('/')[1] ?? ''

it('a feature imports another one only if it needs it', () => {
  const wrong = modules.flatMap(({ path, imports }) => {
    const needs = features.find(({ name }) => name === ownerOf(path))?.needs ?? []
    if (!names.includes(ownerOf(path))) return []
    return imports.flatMap(({ target = '' }) => {
      const other = ownerOf(target)
      const isOther = target.startsWith('features/') && names.includes(other) && other !== ownerOf(path)
      return isOther && !needs.includes(other)
        ? [`src/${path} imports ${target}: name \`${other}\` in its \`needs\``]
        : []
    })
  })
  expect(wrong).toEqual([])
})

it('a task that a feature names is there, and each is named', () => {
  const pattern = new RegExp(`'((?:${names.join('|')})/\\w+)'`, 'g')
  const named = modules
    .filter(({ path }) => path !== 'features/tasks.ts')
    .flatMap(({ text }) => [...text.matchAll(pattern)].map(([, task = '']) => task))
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(featureTasks).toSorted())
})

it('each folder of a feature has a page about it', () => {
  const without = [...names, ...entries].filter((name) => {
    const page = `${root}features/${name}/README.md`
    return !existsSync(page) || readFileSync(page, 'utf8').split(/\s+/).length < 20
  })
  expect(without).toEqual([])
})

it('the tests that the page about a feature names are there', () => {
  const absent = [...names, ...entries].flatMap((name) => {
    const page = readFileSync(`${root}features/${name}/README.md`, 'utf8')
    return [...page.matchAll(/\btest\/[\w./-]*\w/g)]
      .filter(([path]) => !existsSync(`${root}../${path}`))
      .map(([path]) => `${name}: ${path}`)
  })
  expect(absent).toEqual([])
})

/** Names that a module takes or gives out, each with the module that it comes from. */
const namesBy = ({ tree }: Module): readonly (readonly [string, string])[] =>
  walk(tree).flatMap((node) => {
    const specifiers = node['specifiers'] as readonly { imported?: { name: string }; exported?: { name: string } }[]
    const source = node['source'] as { value?: string } | undefined
    const from = source?.value
    if (!specifiers || from === undefined) return []
    return specifiers.flatMap(({ imported, exported }) => {
      const name = (imported ?? exported)?.name
      return name === undefined ? [] : [[from, name] as const]
    })
  })

// What the long tests find by removing each feature, which takes them half an hour.
it('a test or benchmark that uses a feature goes with it', () => {
  const isIndex = (path: string) => path === 'trawl' || path.endsWith('/src/index.js')
  const users = ['test', 'benchmarks'].flatMap((folder) =>
    readModules(`${root}../${folder}`).map((module) => ({
      path: `${folder}/${module.path}`,
      taken: namesBy(module).flatMap(([from, name]) => (isIndex(from) ? [name] : [])),
      targets: module.imports.flatMap(({ target }) => (target === undefined ? [] : [posix.join(folder, target)])),
    })),
  )
  const index = namesBy(parseModule('index.ts', readFileSync(`${root}index.ts`, 'utf8')))
  const wrong = [...names, ...entries].flatMap((feature) => {
    const gone = [feature, ...features.filter(({ needs }) => needs?.includes(feature)).map(({ name }) => name)]
    const own = gone.flatMap(pathsOf)
    const goesWith = (path: string) => own.some((one) => path === one || path.startsWith(`${one}/`))
    const given = index.flatMap(([from, name]) => (from.startsWith(`./features/${feature}/`) ? [name] : []))
    return users
      .filter(({ path }) => !goesWith(path))
      .flatMap(({ path, taken, targets }) =>
        [...taken.filter((name) => given.includes(name)), ...targets.filter(goesWith)].map(
          (used) => `${path} uses ${used} of ${feature}`,
        ),
      )
  })
  expect(wrong).toEqual([])
})
