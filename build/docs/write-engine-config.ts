import { z } from 'zod'
import { engineConfigSchema } from '../../src/kernel/options/engine-config.js'
import { builtIn } from '../../src/features/create-engine.js'
import type { Declarations } from './declarations.js'
import { writeErrorCodes } from './error-codes.js'
import { toJsonSchema } from './json-schema.js'
import { listOptions, writeField, writeOption } from './write-option.js'

const INTRODUCTION = `# Engine configuration

The argument of \`createEngine()\`. Every option is optional. A value of the wrong type or out of bounds and an unknown option are refused
with [\`BAD_REQUEST\`](errors.md); the error lists every problem.`

/** Options of the functions that create plug-ins: caches, ledgers, models. */
const plugIns = {
  memoryCache: ['MemoryCacheOptions'],
  'fileCache, fileStore': ['FileStoreOptions'],
  'keyvCache, keyvStore': ['KeyvStoreOptions'],
  postgresStore: ['PostgresStoreOptions'],
  's3Store, s3Media': ['S3StoreOptions', 'S3MediaOptions'],
  storeMedia: ['StoreMediaOptions'],
  memoryLedger: ['MemoryLedgerOptions'],
  openAiCompatible: ['OpenAiCompatibleOptions'],
  tesseractOcr: ['TesseractOptions'],
  ytDlp: ['YtDlpOptions'],
} as const

/** Generates the reference of the engine's configuration. */
export function writeEngineConfig(declarations: Declarations): string {
  const schema = toJsonSchema(engineConfigSchema(z, builtIn.options))
  return [
    INTRODUCTION,
    '## Options',
    ...listOptions(declarations, 'EngineConfig', schema).map((option) =>
      writeOption(option, declarations, `\`${option.name}\``, writeErrorCodes(option.name, option.member?.doc.text)),
    ),
    '## Options of plug-ins',
    ...Object.entries(plugIns).flatMap(([functions, types]) => {
      // Without its feature, a function and its options are gone.
      const members = types
        .flatMap((name) => declarations.find(name) ?? [])
        .flatMap((declaration) => [...declarations.membersOf(declaration).values()])
      const fields = members.map((member) =>
        writeField({ name: member.name, schema: {}, isRequired: !member.isOptional, member }, declarations),
      )
      const names = functions.split(', ').map((name) => `\`${name}()\``)
      return fields.length === 0 ? [] : [`### ${names.join(', ')}`, [...new Set(fields)].join('\n')]
    }),
  ].join('\n\n')
}
