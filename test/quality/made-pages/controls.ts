import { each, FRAME, inOldSite, inSite, type MadePage } from './made-page.js'

const QUESTIONS: readonly (readonly [question: string, answer: string])[] = [
  ['When does the ferry run?', 'From six in the morning until midnight, every half hour, and hourly on Sundays.'],
  ['May I take a bicycle?', 'Bicycles travel free of charge on the lower deck. Tie them to the rail on the left.'],
  ['Are dogs allowed?', 'Dogs on a lead are welcome outside. The saloon is closed to them in summer.'],
  ['Where do I buy a ticket?', 'At the machine on the pier, or from the crew; the crew takes no cards.'],
]
const TABS: readonly (readonly [name: string, text: string])[] = [
  ['Description', 'A coat of waxed cotton with two inner pockets, cut long enough to sit on a wet bench.'],
  ['Care', 'Brush off dirt when it is dry. Wax the seams anew after each winter, and never wash it hot.'],
  ['Delivery', 'Leaves our store within two working days. Returns are free for thirty days after that.'],
]
const ANSWERS = QUESTIONS.map(([, answer]) => answer)
const TEXTS = TABS.map(([, text]) => text)
const INTRO = '<h1>Questions about the ferry</h1>'
const PRODUCT = '<h1>Pilot coat</h1><p>Made for the harbour pilots of Elm since 1921.</p><p>€ 219.00</p>'

const accordion = (
  name: string,
  write: (question: string, answer: string, at: number) => string,
  around = '',
): MadePage => ({
  name: `an accordion of ${name}`,
  html: inSite(
    `${INTRO}<div ${around}>${each(QUESTIONS, ([question, answer], at) => write(question, answer, at))}</div>`,
  ),
  wanted: [...QUESTIONS.map(([question]) => question), ...ANSWERS],
  unwanted: FRAME,
})

const tabs = (
  name: string,
  list: (name: string, at: number) => string,
  panel: (text: string, at: number) => string,
): MadePage => ({
  name: `tabs of ${name}`,
  html: inOldSite(
    `${PRODUCT}${each(TABS, ([title], at) => list(title, at))}${each(TABS, ([, text], at) => panel(text, at))}`,
  ),
  wanted: ['Pilot coat', ...TEXTS],
  unwanted: FRAME,
})

/** Pages whose text a control opens, by the kits that most sites use, as their scripts leave them. */
export const controls: readonly MadePage[] = [
  accordion(
    'Bootstrap 3',
    (question, answer, at) =>
      `<div class="panel panel-default"><div class="panel-heading" role="tab"><h4 class="panel-title"><a role="button" data-toggle="collapse" href="#c${at}" aria-expanded="false">${question}</a></h4></div>
      <div id="c${at}" class="panel-collapse collapse" role="tabpanel" style="height: 0px;"><div class="panel-body">${answer}</div></div></div>`,
    'class="panel-group" role="tablist"',
  ),
  accordion(
    'Bootstrap 4',
    (question, answer, at) =>
      `<div class="card"><div class="card-header" id="h${at}"><h5 class="mb-0"><button class="btn btn-link collapsed" data-toggle="collapse" data-target="#c${at}">${question}</button></h5></div>
      <div id="c${at}" class="collapse" aria-labelledby="h${at}" style="display: none"><div class="card-body">${answer}</div></div></div>`,
    'id="accordion"',
  ),
  accordion(
    'Bootstrap 5',
    (question, answer, at) =>
      `<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button collapsed" type="button" data-bs-toggle="collapse" data-bs-target="#c${at}">${question}</button></h2>
      <div id="c${at}" class="accordion-collapse collapse"><div class="accordion-body">${answer}</div></div></div>`,
    'class="accordion"',
  ),
  tabs(
    'Bootstrap 5',
    (title, at) =>
      `<button class="nav-link" data-bs-toggle="tab" data-bs-target="#t${at}" role="tab">${title}</button>`,
    (text, at) =>
      `<div class="tab-pane fade" id="t${at}" role="tabpanel"${at > 0 ? ' hidden' : ''}><p>${text}</p></div>`,
  ),
  accordion(
    'Foundation',
    (question, answer) =>
      `<li class="accordion-item" data-accordion-item><a href="#" class="accordion-title" aria-expanded="false">${question}</a><div class="accordion-content" data-tab-content style="display: none;" aria-hidden="true"><p>${answer}</p></div></li>`,
    'class="accordion" data-accordion',
  ),
  accordion(
    'jQuery UI',
    (question, answer, at) =>
      `<h3 class="ui-accordion-header ui-state-default" role="tab" id="ui-id-${at}" aria-controls="ui-p-${at}" aria-selected="false">${question}</h3>
      <div class="ui-accordion-content ui-widget-content" id="ui-p-${at}" role="tabpanel" style="display: none;"><p>${answer}</p></div>`,
    'class="ui-accordion ui-widget"',
  ),
  tabs(
    'jQuery UI',
    (title, at) => `<li class="ui-tabs-tab" role="tab"><a href="#tabs-${at}" class="ui-tabs-anchor">${title}</a></li>`,
    (text, at) =>
      `<div id="tabs-${at}" class="ui-tabs-panel"${at > 0 ? ' style="display: none;"' : ''}><p>${text}</p></div>`,
  ),
  accordion(
    'Material UI',
    (question, answer, at) =>
      `<div class="MuiPaper-root MuiAccordion-root"><div class="MuiButtonBase-root MuiAccordionSummary-root" tabindex="0" role="button" aria-expanded="false" aria-controls="m${at}"><div class="MuiAccordionSummary-content"><p class="MuiTypography-root">${question}</p></div></div>
      <div class="MuiCollapse-root MuiCollapse-hidden" style="min-height: 0px; height: 0px; visibility: hidden;"><div class="MuiCollapse-wrapper"><div id="m${at}" role="region"><div class="MuiAccordionDetails-root"><p class="MuiTypography-root">${answer}</p></div></div></div></div></div>`,
  ),
  accordion(
    'UIkit',
    (question, answer) =>
      `<li><a class="uk-accordion-title" href="#">${question}</a><div class="uk-accordion-content" hidden><p>${answer}</p></div></li>`,
    'uk-accordion',
  ),
  {
    name: 'tabs of UIkit',
    html: inOldSite(
      `${PRODUCT}<ul uk-tab>${each(TABS, ([title]) => `<li><a href="#">${title}</a></li>`)}</ul>
      <ul class="uk-switcher">${each(TABS, ([, text], at) => `<li${at > 0 ? ' style="display: none"' : ' class="uk-active"'}>${text}</li>`)}</ul>`,
    ),
    wanted: ['Pilot coat', ...TEXTS],
    unwanted: FRAME,
  },
  accordion(
    'Semantic UI',
    (question, answer) =>
      `<div class="title"><i class="dropdown icon"></i>${question}</div><div class="content" style="display: none !important;"><p class="transition hidden">${answer}</p></div>`,
    'class="ui styled accordion"',
  ),
  accordion(
    'Elementor',
    (question, answer, at) =>
      `<div class="elementor-accordion-item"><div class="elementor-tab-title" data-tab="${at}" role="button" aria-controls="e${at}" aria-expanded="false"><a class="elementor-accordion-title" tabindex="0">${question}</a></div>
      <div id="e${at}" class="elementor-tab-content elementor-clearfix" data-tab="${at}" role="region" hidden="hidden"><p>${answer}</p></div></div>`,
    'class="elementor-accordion"',
  ),
  accordion(
    'WordPress blocks',
    (question, answer) => `<details class="wp-block-details"><summary>${question}</summary><p>${answer}</p></details>`,
  ),
  {
    name: 'tabs by ARIA roles',
    html: inSite(
      `${PRODUCT}<div role="tablist">${each(TABS, ([title], at) => `<button role="tab" id="b${at}" aria-controls="p${at}" aria-selected="${at === 0}">${title}</button>`)}</div>
      ${each(TABS, ([, text], at) => `<div role="tabpanel" id="p${at}" aria-labelledby="b${at}"${at > 0 ? ' hidden' : ''}>${text}</div>`)}`,
    ),
    wanted: ['Pilot coat', ...TEXTS],
    unwanted: FRAME,
  },
  {
    name: 'a product of Shopify with collapsed rows',
    html: inSite(
      `${PRODUCT}${each(TABS, ([title, text], at) => `<div class="product__accordion accordion"><details id="d${at}"><summary role="button" aria-expanded="false"><h2 class="accordion__title">${title}</h2></summary><div class="accordion__content rte"><p>${text}</p></div></details></div>`)}
      <div class="product-form"><button name="add">Add to cart</button></div>`,
    ),
    wanted: ['Pilot coat', ...TEXTS],
    unwanted: FRAME,
  },
  {
    name: 'a text behind "Read more"',
    html: inSite(
      `${PRODUCT}<div class="text"><p>${TEXTS[0]}</p><span class="more-dots">…</span><div class="more-text" style="display:none"><p>${TEXTS[1]}</p></div>
      <a href="#" class="read-more-toggle">Read more</a></div><div class="legal"><p>${TEXTS[2]}</p></div>`,
    ),
    wanted: TEXTS,
    unwanted: FRAME,
  },
  {
    name: 'a text that a check box opens',
    html: inOldSite(
      `${PRODUCT}<p>${TEXTS[0]}</p><input type="checkbox" id="more" class="toggle"><label for="more">Show all</label><div class="rest" hidden><p>${TEXTS[1]}</p></div><p>${TEXTS[2]}</p>`,
    ),
    wanted: TEXTS,
    unwanted: FRAME,
  },
]
