import { expect, it } from 'vitest'
import { mcpCommand } from '../../../src/cli/commands/mcp.js'
import { scrapeCommand } from '../../../src/cli/commands/scrape.js'
import { workCommand } from '../../../src/cli/commands/work.js'
import { variablesFor } from '../../../src/cli/variables-for.js'

const environment = { SITE_PASSWORD: 'a password', PGPASSWORD: 'another', API_KEY: 'a key' }
const options = {
  request: {
    scrapeOptions: {
      login: { url: 'https://example.com/login', secrets: { password: { env: 'SITE_PASSWORD' } } },
      actions: [{ type: 'fill', selector: 'input', secret: { env: 'API_KEY' } }],
    },
  },
}

it('requests of others have only the variables that flags of the command name', () => {
  expect(variablesFor(scrapeCommand, environment, { request: {} })).toEqual(environment)
  expect(variablesFor(workCommand, environment, { request: {} })).toEqual({})
  expect(variablesFor(mcpCommand, environment, options)).toEqual({ SITE_PASSWORD: 'a password', API_KEY: 'a key' })
})
