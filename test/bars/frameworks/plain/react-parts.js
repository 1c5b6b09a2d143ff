import { createElement as h, Suspense, use, useEffect, useState } from 'react'

export const Article = ({ text }) =>
  h('main', null, h('h1', null, text.title), ...text.sentences.map((sentence) => h('p', { key: sentence }, sentence)))

/** Numbers with their labels, as an application for its owners shows them. */
export const Dashboard = ({ text }) =>
  h(
    'main',
    null,
    h('h1', null, text.title),
    h(
      'dl',
      null,
      ...text.numbers.flatMap(({ label, value }) => [h('dt', { key: label }, label), h('dd', { key: value }, value)]),
    ),
  )

export const Fetched = ({ page, shape = Article, waiting }) => {
  const [text, setText] = useState(null)
  useEffect(() => {
    void fetch(`/api/${page}`)
      .then((answer) => answer.json())
      .then(setText)
  }, [page])
  return text ? h(shape, { text }) : waiting
}

const Late = ({ promise }) => h(Article, { text: use(promise) })

export const Streamed = ({ promise }) =>
  h('div', { id: 'root' }, h(Suspense, { fallback: h('p', null, 'One moment …') }, h(Late, { promise })))

export const Skeleton = () =>
  h(
    'div',
    { 'aria-busy': 'true' },
    ...[1, 2, 3].map((key) => h('div', { key, className: 'skeleton', 'aria-busy': 'true' })),
  )
