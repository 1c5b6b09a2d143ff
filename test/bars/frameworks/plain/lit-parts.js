import { html, LitElement } from 'lit'

export class TextPage extends LitElement {
  static properties = { text: { type: Object } }
  render() {
    if (!this.text) return html``
    return html`<main>
      <h1>${this.text.title}</h1>
      ${this.text.sentences.map((sentence) => html`<p>${sentence}</p>`)}
    </main>`
  }
}
customElements.define('text-page', TextPage)
