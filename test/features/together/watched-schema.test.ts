import { expect, it } from 'vitest'
import { z } from 'zod'
import { createEngine, memoryLedger } from '../../../src/index.js'

it('names the place of a schema that a watch cannot store, and what can be stored', async () => {
  await using engine = createEngine({ threads: 0, ledger: memoryLedger() })
  const request = { name: 'rows', targets: [{ url: 'https://a.test/' }], cron: '0 9 1 1 *' }
  const watch = (schema: z.ZodType | z.core.JSONSchema.BaseSchema) =>
    engine.watch({ ...request, formats: ['markdown', { type: 'list', schema }] })
  const schema = z.object({ title: z.string(), price: z.number() })
  await expect(watch(schema)).rejects.toMatchObject({
    message: expect.stringMatching(/^Bad Request: formats\[1\]\.schema: .* cannot be stored: .*z\.toJSONSchema/),
    issues: [{ path: ['formats', 1, 'schema'] }],
  })
  expect((await (await watch(z.toJSONSchema(schema))).status()).name).toBe('rows')
})
