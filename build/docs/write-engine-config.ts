import { z } from 'zod'
import { engineConfigSchema } from '../../src/kernel/options/engine-config.js'
import { builtIn } from '../../src/features/create-engine.js'
import { fetchDefinitions } from '../../src/kernel/options/engine/fetch-config.js'
import { fileDefinitions } from '../../src/kernel/options/engine/file-config.js'
import { modelDefinitions } from '../../src/kernel/options/engine/model-config.js'
import { storageDefinitions } from '../../src/kernel/options/engine/storage-config.js'
import type { Declarations } from './declarations.js'
import { writeErrorCodes } from './error-codes.js'
import { toJsonSchema } from './json-schema.js'
import { listOptions, writeField, writeOption } from './write-option.js'

const INTRODUCTION = `# Engine configuration

The argument of \`createEngine()\`. Every option is optional. A value of the wrong type or out of bounds and an unknown option are refused
with [\`BAD_REQUEST\`](errors.md); the error lists every problem. Other pages have the settings of [files, models and features](engine-content.md),
and the [options of plug-ins](plug-in-options.md): caches, stores, ledgers, models.`

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

/** Generates the pages about the engine's configuration, by file name. */
export function writeEngineConfig(declarations: Declarations): Readonly<Record<string, string>> {
  const schema = toJsonSchema(engineConfigSchema(z, builtIn.options))
  const section = (title: string, names: readonly string[]): string[] => [
    `## ${title}`,
    ...listOptions(declarations, 'EngineConfig', schema, names).map((option) =>
      writeOption(option, declarations, `\`${option.name}\``, writeErrorCodes(option.name, option.member?.doc.text)),
    ),
  ]
  const others = [fetchDefinitions, storageDefinitions, fileDefinitions, modelDefinitions].flatMap(Object.keys)
  const features = Object.keys(builtIn.options.engine)
  const jobs = Object.keys(schema.properties ?? {}).filter((name) => ![...others, ...features].includes(name))
  return {
    'engine-config.md': [
      INTRODUCTION,
      ...section('Requests', Object.keys(fetchDefinitions)),
      ...section('Storage', Object.keys(storageDefinitions)),
      ...section('Jobs', jobs),
    ].join('\n\n'),
    'engine-content.md': [
      '# Engine configuration: files, models, features',
      'They stand beside the other [settings of an engine](engine-config.md).',
      ...section('Files', Object.keys(fileDefinitions)),
      ...section('Models', Object.keys(modelDefinitions)),
      ...section('Features', features),
    ].join('\n\n'),
    'plug-in-options.md': ['# Options of plug-ins', ...writePlugIns(declarations)].join('\n\n'),
  }
}

const writePlugIns = (declarations: Declarations): string[] =>
  Object.entries(plugIns).flatMap(([functions, types]) => {
    // Without its feature, a function and its options are gone.
    const members = types
      .flatMap((name) => declarations.find(name) ?? [])
      .flatMap((declaration) => [...declarations.membersOf(declaration).values()])
    const fields = members.map((member) =>
      writeField({ name: member.name, schema: {}, isRequired: !member.isOptional, member }, declarations),
    )
    const names = functions.split(', ').map((name) => `\`${name}()\``)
    return fields.length === 0 ? [] : [`## ${names.join(', ')}`, [...new Set(fields)].join('\n')]
  })
