import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { features } from '../../src/features/index.js'
import { featureTasks } from '../../src/features/tasks.js'
import { readModules } from '../architecture/modules.js'
import { entries } from './without-feature.js'

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
