import { h, hydrate, render } from 'preact'
import { Article } from './preact-parts.js'
import texts from './texts.json'

const { page, mode } = document.documentElement.dataset
const text = texts[page]
const place = document.querySelector('#app')
if (mode === 'hydrate') hydrate(h(Article, { text }), place)
else if (mode === 'bundle') render(h(Article, { text }), place)
else for (const island of document.querySelectorAll('x-island')) render(h('button', null, 'Vote'), island)
