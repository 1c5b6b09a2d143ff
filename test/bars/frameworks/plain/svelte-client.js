import { hydrate, mount } from 'svelte'
import Article from './article.svelte'
import Fetched from './fetched.svelte'
import texts from './texts.json'

const { page, mode } = document.documentElement.dataset
const target = document.querySelector('#app') ?? document.body
const text = texts[page]
if (mode === 'hydrate') hydrate(Article, { target, props: { text } })
else if (mode === 'fetch') mount(Fetched, { target, props: { page } })
else mount(Article, { target, props: { text } })
