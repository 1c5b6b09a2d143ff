import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { inlineWasm } from './build/inline-wasm.mjs'

/**
 * Tests that take long and rarely fail: limits that are reached, processes that are killed, servers that hang, several
 * machines, whole commands, the bundle, and the bars of other tools. `npm run test:long` runs them, with a process for each file.
 */
const long = [
  'test/bars/{ads,adversarial,agent-calls,discovery,documentation,fuzz,hostile,job-memory,kill-cache,kill-crawl,large-messages,lists,pdf-memory,random-runs}.test.ts',
  'test/base/store/{file,keyv,postgres,postgres-faults,s3}.test.ts',
  'test/cli/{batch,crawl,mcp,model,nightly-folder,resume,rows,stop,work}.test.ts',
  'test/content/compare/judge-changes.test.ts',
  'test/content/convert/{growth,round-trip}.test.ts',
  'test/content/digest/{document-limits,failing-threads,file-limits,hostile,pool-hosts,pool-limits,thread-count,threads}.test.ts',
  'test/content/extract/{list-growth,sheet-truth}.test.ts',
  'test/content/office/{bounds,hostile}.test.ts',
  'test/content/pdf/bombs.test.ts',
  'test/docs/{code,loaders,servers,shared-stores}.test.ts',
  'test/features/{archive/hostile,archive/hostile-records,archive/kill-archive,deletion-whole,goal/search-page,login/{cut-machines,cut-often,cut-script-form},list/list-in-data,list/list-in-shadow,list/list-requests,list/whole-list,mirror/{histories-200,kill-pictures,overlapping-processes,postgres-table},opentelemetry/start-telemetry,search/command,search/indexes,search/kill-index,since/since-stores,twins/broken-twins,watch/judgement,watch/watch-year,webhooks/postgres,webhooks/restart}.test.ts',
  'test/features/together/{archive-recipes,archived-sites,hidden-pages,login-in-stores,mirror-in-postgres,replayed-elsewhere,soak}.test.ts',
  'test/features/browser/{action-messages,actions,expand-page,profile,replaced-globals,take-screenshot}.test.ts',
  'test/features/browser/fetcher/{browser-awaits,browser-consent,browser-content,browser-egress,browser-lifecycle,browser-proxy-secret,browser-visitor}.test.ts',
  'test/features/machines/{postgres,postgres-close,postgres-ended,postgres-faults,postgres-fences,postgres-health,postgres-jobs,postgres-kills,postgres-readers,postgres-resume,postgres-upgrade,workers,workers-faults,workers-formats}.test.ts',
  'test/kernel/cache/hanging-cache.test.ts',
  'test/kernel/engine/{large-documents,proxies}.test.ts',
  'test/base/http/zstd.test.ts',
  'test/kernel/fetch/{error-body,http-lifecycle}.test.ts',
  'test/content/sitemap/sitemap-broken.test.ts',
  'test/kernel/frontier/{honest-sites,robots-sharing}.test.ts',
  'test/kernel/job/{hanging,kept-jobs,many-links,rows,warm-crawl}.test.ts',
  'test/kernel/ledger/{damaged-jobs,sqlite-kills}.test.ts',
  'test/package/{bundle,optional-packages}.test.ts',
  'test/quality/lists.test.ts',
]

/** Long tests that share processes, as those of `npm test` do: to load the library for each took a tenth of their time. */
const slow = [
  'test/base/concurrency/page-slots.test.ts',
  'test/base/folder/file-names.test.ts',
  'test/base/json-schema/check-value.test.ts',
  'test/base/store/memory.test.ts',
  'test/cli/{align-columns,jobs,report,scrape,watch}.test.ts',
  'test/content/convert/write-view.test.ts',
  'test/content/extract/sheet-pages.test.ts',
  'test/content/digest/{digest-cache,pool,similarity}.test.ts',
  'test/docs/{operation,server-process}.test.ts',
  'test/features/archive/{forms,secrets}.test.ts',
  'test/features/browser/{click-option,connect-browser,fill-form,launch-browser,profiles,small-ad-list,window-watch}.test.ts',
  'test/features/browser/fetcher/{browser-ads,browser-answers,browser-cut-off,browser-left,browser-more,browser-undeclared}.test.ts',
  'test/features/goal/goal-vectors.test.ts',
  'test/features/json/prompt-injection.test.ts',
  'test/features/login/{browser-login,cut-once,hostile-forms,secrets-leave-browser,which-form}.test.ts',
  'test/features/machines/postgres-session.test.ts',
  'test/features/mirror/embedding.test.ts',
  'test/features/together/login-guide.test.ts',
  'test/features/own-features/own-browser.test.ts',
  'test/features/permissions/answers.test.ts',
  'test/features/prompt-injection/places.test.ts',
  'test/features/report/{injection,write-report}.test.ts',
  'test/features/search/embedding.test.ts',
  'test/features/toolkit/answer.test.ts',
  'test/features/twins/twin-changes.test.ts',
  'test/features/watch/interval.test.ts',
  'test/kernel/engine/media.test.ts',
  'test/base/http/read-body.test.ts',
  'test/kernel/job/{budget-resume,judge-links}.test.ts',
  'test/package/host-process.test.ts',
  'test/quality/{collection-floors,warned-losses,without-statements}.test.ts',
  'test/site/docs.test.ts',
]

/**
 * Tests with a process for each file: they replace a module, or measure the memory, the processor
 * time, the sockets or the timers of the process. All others share processes, and load the library once for each
 * process rather than for each file: what they leave behind, they take back themselves.
 */
const isolated = [
  'test/bars/pdf.test.ts',
  'test/kernel/options/added-format.test.ts',
  'test/base/collections/compressed-blocks.test.ts',
  'test/base/concurrency/passing-map.test.ts',
  'test/kernel/engine/engine.test.ts',
  'test/kernel/fetch/http-limits.test.ts',
  'test/features/webhooks/faults.test.ts',
  'test/features/login/{large-pages,unread-pages,without-login}.test.ts',
]

export default defineConfig({
  plugins: [inlineWasm],
  test: {
    // Its module of WebAssembly is inlined, as in the bundle: Node does not import one.
    server: { deps: { inline: ['chardetng-wasm'] } },
    // Longer than the default time of a page: one that hangs fails with its own reason.
    testTimeout: 60_000,
    // More than the cores of a small machine: many tests wait for a server that is slow on purpose.
    maxWorkers: 3,
    globalSetup: ['test/features/browser/choose-browser.ts'].filter((file) => existsSync(file)),
    // A busy machine may take longer than the second that `expect.poll` has by default.
    expect: { poll: { timeout: 20_000 } },
    // What a machine with other work lets fail passes then, and the report says `retry x1`; what is wrong fails twice.
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...isolated, ...long, ...slow],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      { extends: true, test: { name: 'long', include: long } },
      { extends: true, test: { name: 'slow', include: slow, isolate: false } },
    ],
  },
})
