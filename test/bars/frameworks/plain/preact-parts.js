import { h } from 'preact'

export const Article = ({ text }) =>
  h('main', null, h('h1', null, text.title), ...text.sentences.map((sentence) => h('p', null, sentence)))
