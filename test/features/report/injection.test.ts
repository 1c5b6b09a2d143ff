import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeReport } from '../../../src/index.js'
import { openReport, startBrowser } from './open-report.js'
import { documentOf, scrapedRow, storedJob } from './stored-job.js'

/** Runs in the report if anything in it runs. */
const RUN = 'window.hasRun=1,alert(1)'

/** Texts that run a script where HTML, an attribute, a URL, JSON, CSS or Markdown is made of them. */
const INJECTIONS = [
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `</SCRIPT ><script>${RUN}//`,
  `<!--<script>${RUN}</script>-->`,
  `--><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</noscript><script>${RUN}</script>`,
  `]]><script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `'><script>${RUN}</script>`,
  `"]]}</script><script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="data:image/png;base64,x" onerror="${RUN}">`,
  `" onmouseover="${RUN}" x="`,
  `' autofocus onfocus='${RUN}' '`,
  `<svg onload="${RUN}">`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><a xlink:href="javascript:${RUN}"><text>x</text></a></svg>`,
  `<math><mtext><style><img src=x onerror="${RUN}"></style></mtext></math>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<body onload="${RUN}">`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<input autofocus onfocus="${RUN}">`,
  `<video><source onerror="${RUN}"></video>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<base href="javascript:${RUN}//">`,
  `<link rel="stylesheet" href="javascript:${RUN}">`,
  `<style>@import "javascript:${RUN}";</style>`,
  `<template><script>${RUN}</script></template>`,
  `<a href="javascript:${RUN}">link</a>`,
  `[link](javascript:${RUN})`,
  `![picture](x" onerror="${RUN})`,
  `[a]: javascript:${RUN}\n\n[link][a] <javascript:${RUN}>`,
  `{{constructor.constructor('${RUN}')()}} \${${RUN}} \u2028${RUN}`,
]

/** Lists the attributes in the report that listen to events or lead elsewhere than to web pages and places in it. */
const LIST_FAULTS = `[...document.querySelectorAll('body *')].flatMap(({ localName, attributes }) =>
  [...attributes]
    .filter(({ name, value }) => name.startsWith('on') || (name === 'href' && !/^(?:#|https?:)/.test(value)))
    .map(({ name, value }) => localName + ' ' + name + '=' + value))`

it('runs none of 40 scripts in URLs, titles, texts, messages, headers, Markdown and HTML of pages', async () => {
  expect(INJECTIONS).toHaveLength(40)
  const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
  const browser = await startBrowser()
  try {
    const url = (index: number): string => `https://site.test/${index}?q=${INJECTIONS[index]}`
    const rows = INJECTIONS.map((text, index) =>
      scrapedRow(url(index), {
        anchor: text,
        foundOn: index % 2 === 0 ? url(0) : `javascript:${RUN}`,
        finalUrl: index % 3 === 0 ? `javascript:${RUN}` : text,
        lastmod: text,
        alternates: [{ hreflang: text, url: text }],
        refusal: { reason: 'ROBOTS_TXT', message: text },
        failure: { code: 'SCRAPE_SITE_ERROR', error: text },
        duplicateOf: text,
        attempts: [
          {
            startedAtMs: 1,
            endedAtMs: 2,
            fetcher: text,
            fetcherReason: text,
            error: text,
            blocks: [{ vendor: text, evidence: text }],
          },
        ],
      }),
    )
    const documents = INJECTIONS.map((text, index) =>
      documentOf(url(index), {
        markdown: `${text}\n\n# ${text}\n\n- ${text}\n\n| ${text} |\n| --- |\n| ${text} |\n\n${index === 0 ? INJECTIONS.join('\n\n') : ''}`,
        rawHtml: `<html><body ${text}>${text}<p id="x">${text}</p>${index === 0 ? INJECTIONS.join('') : ''}</body></html>`,
        trace: [
          { selector: text, text, characters: text.length, reason: text },
          { selector: 'p#x', text: '', characters: 0, reason: text },
        ],
        warning: text,
        screenshot: `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`,
        metadata: {
          ...documentOf(url(index)).metadata,
          title: text,
          [text]: text,
          learntBoilerplate: [text],
          error: text,
        },
      }),
    )
    const file = join(folder, 'report.html')
    await writeReport(storedJob(rows, documents), file)
    await using report = await openReport(browser, file)
    const views = [
      'overview',
      'pages',
      'site',
      'templates',
      'speed',
      'links',
      'duplicates',
      'orphans',
      'boilerplate',
      'robots',
    ]
    const places = [
      ...views,
      ...INJECTIONS.map((_, index) => `page/${index}`),
      `pages?q=${encodeURIComponent(INJECTIONS[0] ?? '')}`,
    ]
    for (const place of places) {
      await report.show(`#${place}`)
      for (const toggle of await report.page.locator('button[aria-expanded=false]').all()) await toggle.click()
      // Elements of the report have no listeners in attributes, and lead nowhere but to web pages and places in it.
      const faults = await report.page.evaluate(LIST_FAULTS)
      expect(faults, place).toEqual([])
    }
    expect(await report.page.evaluate(`'hasRun' in window`)).toBe(false)
    expect(report.troubles).toEqual([])
  } finally {
    await browser.close()
    await rm(folder, { recursive: true })
  }
}, 60_000)
