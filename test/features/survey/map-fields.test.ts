import { expect, it } from 'vitest'
import { z } from 'zod'
import { mapSchema } from '../../../src/features/survey/map-options.js'
import { readDoc } from '../../docs/doc-code.js'

it('the section on map says of every field what trawl does with it', () => {
  const page = readDoc('docs/compatibility/crawls.md')
  const rows = page.split('\n').filter((line) => line.startsWith('|'))
  const fields = Object.keys(mapSchema(z).shape)
  expect(fields.length).toBeGreaterThan(5)
  expect(fields.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([])
})
