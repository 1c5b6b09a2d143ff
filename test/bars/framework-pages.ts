import { type FrameworkText, makeFrameworkText } from './framework-texts.js'

/** Where the text of a page is: in its HTML, in the data for its scripts, or only in what these do. */
export type TextPlace = 'html' | 'data' | 'scripts'

/** A page that a framework built. */
export interface FrameworkPage {
  readonly name: string
  readonly project: string
  readonly place: TextPlace
  /** Path on its site, with the fragment where that decides what is shown. */
  readonly path: string
  /** The file that the build left, below its folder. */
  readonly file: string
  readonly text: FrameworkText
  /** What is to be found on the page. */
  readonly wanted: readonly string[]
}

/** Names by where the text of the page is, one line for each kind; the first word says which framework made it. */
const pages: Readonly<Record<string, Readonly<Record<TextPlace, string>>>> = {
  plain: {
    html: `react-static react-rendered react-streamed react-comments vue-rendered vue-islands svelte-rendered preact-rendered
      preact-islands lit-rendered`,
    data: 'react-apollo react-state react-linked vue-state vue-inertia',
    scripts: `react-shell react-fetch react-long-note react-cookie-note react-hash react-dashboard react-skeleton react-spinner
      react-teaser vue-shell vue-fetch vue-hash svelte-shell svelte-fetch svelte-body preact-shell solid-shell solid-fetch lit-shell`,
  },
  next: {
    html: 'next-article app-article app-stream',
    data: 'next-post next-list next-markdown app-query',
    scripts: 'next-fetch next-words app-fetch',
  },
  nuxt: { html: 'nuxt-article', data: 'nuxt-data', scripts: 'nuxt-shell nuxt-fetch' },
  kit: { html: 'kit-article', data: 'kit-data', scripts: 'kit-fetch' },
  astro: { html: 'astro-article astro-island', data: 'astro-only', scripts: '' },
  router: { html: 'router-article', data: 'router-data', scripts: 'router-fetch' },
  angular: { html: 'angular-article', data: '', scripts: 'angular-shell angular-fetch' },
}

/** Sixty pages, each with sentences of its own. */
export const frameworkPages: readonly FrameworkPage[] = Object.entries(pages)
  .flatMap(([project, places]) =>
    Object.entries(places).flatMap(([place, names]) =>
      (names.match(/\S+/g) ?? []).map((name) => ({ project, place: place as TextPlace, name })),
    ),
  )
  .map(({ project, place, name }, index) => {
    const text = makeFrameworkText(index + 1)
    const isFolder = project !== 'plain'
    const numbers = text.numbers.flatMap(({ label, value }) => [label, value])
    return {
      name,
      project,
      place,
      path: `/${name}${isFolder ? '/' : '.html'}${name.endsWith('-hash') ? '#/about' : ''}`,
      // Angular gives one file to all pages that it does not render.
      file: name === 'angular-shell' ? 'index.csr.html' : `${name}${isFolder ? '/index.html' : '.html'}`,
      text,
      wanted: [text.title, ...(name === 'react-dashboard' ? numbers : text.sentences)],
    }
  })

/** What of a page's text is not in a document's Markdown. */
export function listMissing({ wanted }: FrameworkPage, markdown: string): readonly string[] {
  const plain = markdown.replaceAll('\\', '').replace(/\s+/g, ' ')
  return wanted.filter((text) => !plain.includes(text))
}
