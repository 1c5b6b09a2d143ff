import { describe, expect, test } from 'vitest'
import type { Law } from './laws.js'
import { parseModule } from './modules.js'
import { foldersAreNotFull, roomsAreListed, roomsImportLeft } from './rooms.js'

/** What a law says of a made-up house. */
const judge = (law: Law, files: Record<string, string>): string[] =>
  law(Object.entries(files).map(([path, text]) => parseModule(path, text)))

describe('law 8', () => {
  test('refuses a folder that is not on the list of its station, and a room in a room', () => {
    const found = judge(roomsAreListed, {
      'kernel/ledger/utils/strings.ts': '',
      'kernel/ledger/sqlite/cache/store.ts': '',
    })
    expect(found).toContainEqual(expect.stringContaining('src/kernel/ledger/utils/ is no room: add it'))
    expect(found).toContainEqual(
      expect.stringContaining('src/kernel/ledger/sqlite/cache/store.ts lies in a room of a room'),
    )
    expect(found).toContainEqual(expect.stringContaining('src/kernel/ledger/rows/ is gone'))
  })

  test('refuses an import of a room to the right, and of an entry, by way of another too', () => {
    expect(
      judge(roomsImportLeft, {
        'kernel/ledger/rows/connect.ts': `import '../sqlite/transport.js'; import '../fetch.js'; import type { A } from '../routes.js'`,
        'kernel/ledger/sqlite/transport.ts': `import '../network/connect.js'; import '../fetcher.js'; import '../../../base/url.js'`,
        'kernel/ledger/fetch.ts': `import './routes.js'`,
        'kernel/ledger/routes.ts': `import './sqlite/transport.js'`,
        'kernel/ledger/fetcher.ts': '',
      }),
    ).toEqual([
      expect.stringMatching(/^src\/kernel\/ledger\/rows\/connect\.ts:1 .* sqlite\/ stands to the right of rows\//),
      expect.stringContaining('imports kernel/ledger/fetch.ts, which loads rooms'),
      expect.stringContaining('imports kernel/ledger/routes.ts, which loads rooms'),
    ])
  })
})

describe('law 9', () => {
  const files = (folder: string, count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}file-${index}.ts`, '']))

  test('refuses full folders and loose files, but for plug-ins', () => {
    expect(judge(foldersAreNotFull, files('kernel/fetch/http/', 31))).toEqual([
      expect.stringContaining('src/kernel/fetch/http holds 31'),
    ])
    expect(judge(foldersAreNotFull, files('', 5))).toHaveLength(1)
    expect(
      judge(foldersAreNotFull, {
        ...files('kernel/fetch/http/', 30),
        ...files('content/parse/parsers/', 40),
        ...files('', 4),
      }),
    ).toEqual([])
  })
})
