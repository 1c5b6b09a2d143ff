import '@lit-labs/ssr-client/lit-element-hydrate-support.js'
import './lit-parts.js'
import texts from './texts.json'

const { page, mode } = document.documentElement.dataset
if (mode === 'bundle') document.querySelector('text-page').text = texts[page]
