import { createApp, createSSRApp, h, onMounted, ref } from 'vue'
import texts from './texts.json'
import { renderArticle } from './vue-parts.js'

const { page, mode } = document.documentElement.dataset
const text = texts[page]

const Fetched = {
  setup() {
    const found = ref(null)
    onMounted(async () => (found.value = await (await fetch(`/api/${page}`)).json()))
    return () => (found.value ? renderArticle(found.value) : h('p', 'Please wait'))
  },
}
const start = {
  bundle: () => createApp({ render: () => renderArticle(text) }).mount('#app'),
  hydrate: () => createSSRApp({ render: () => renderArticle(text) }).mount('#app'),
  fetch: () => createApp(Fetched).mount('#app'),
  hash: () => createApp({ render: () => (location.hash === '#/about' ? renderArticle(text) : null) }).mount('#app'),
  state: () => createApp({ render: () => renderArticle(globalThis['__INITIAL_STATE__'].route.article) }).mount('#app'),
  inertia: () => {
    const { props } = JSON.parse(document.querySelector('#app').dataset.page)
    createApp({ render: () => renderArticle({ title: props.article.title, sentences: [] }) }).mount('#app')
    document.querySelector('main').insertAdjacentHTML('beforeend', props.article.body)
  },
  islands: () => {
    for (const place of document.querySelectorAll('.island'))
      createApp({ render: () => h('button', 'Like') }).mount(place)
  },
}
start[mode]()
