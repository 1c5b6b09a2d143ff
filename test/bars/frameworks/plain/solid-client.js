import { createResource, Show } from 'solid-js'
import h from 'solid-js/h'
import { render } from 'solid-js/web'
import texts from './texts.json'

const { page, mode } = document.documentElement.dataset
const article = (text) => h('main', h('h1', text.title), ...text.sentences.map((sentence) => h('p', sentence)))
const Fetched = () => {
  const [text] = createResource(async () => (await fetch(`/api/${page}`)).json())
  return h(Show, { when: text, fallback: h('p', 'Loading') }, (found) => article(found()))
}
render(mode === 'fetch' ? h(Fetched) : () => article(texts[page])(), document.querySelector('#root'))
