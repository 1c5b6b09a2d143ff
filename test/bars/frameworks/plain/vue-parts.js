import { h } from 'vue'

export const renderArticle = (text) =>
  h('main', [h('h1', text.title), ...text.sentences.map((sentence) => h('p', sentence))])
