/** The role of an object's member, judged by its name. */
export type FieldRole = 'title' | 'body' | 'teaser' | 'label' | 'other'

/** Normalizes a name: `contentHTML`, `content_html` and `content-html` are equal. */
const plain = (name: string): string => name.replace(/[^a-z\d]/gi, '').toLowerCase()

/**
 * Members that are no content of the page: translations of the interface, settings, menus, notes on cookies, related pages,
 * metadata for machines, and error messages.
 */
const irrelevant =
  /^(?:i18n|nexti18next|messages|translations?|locales?|dictionar(?:y|ies)|localization|strings|env|config|runtimeconfig|siteconfig|settings|sitesettings|flags|featureflags|experiments|theme|nav|navigation|navbar|menus?|mainmenu|footer|header|sidebar|breadcrumbs?|cookies?|cookieconsent|consent|gdpr|legal|privacy|seo|meta|metadata|metatags|head|opengraph|og|twitter|schema|jsonld|structureddata|errors?|notfound|forbidden|unauthorized|loading|fallback|placeholder|analytics|tracking|ads?|advert\w*|newsletter|related\w*|recommend\w*|similar\w*|youmay\w*|popular\w*|trending\w*|latest\w*|morefrom\w*|next(?:post|article|page)?|prev(?:ious)?(?:post|article|page)?|session|viewer|currentuser|csrf\w*|routes|manifest|css|styles?|scripts?|query|variables|keywords|alt\w*|aria\w*|classname|srcset|sizes|icon|template|layout|typename|noscript|modals?|drawers?|popups?|banners?|announcements?|promos?|promotions?|globals?|globaldata|shared|layoutdata|site|sitedata|common|ui|labels|copy|abtests?|gates?|feature\w*flags?)$/
const titles = /^(?:title|headline|heading|name|question|displayname|posttitle|articletitle|productname|h1)$/
const bodies =
  /^(?:content|contents|body|bodytext|html|\w*html|richtext|text|fulltext|longtext|markdown|\w*markdown|md|mdx|articlebody|story|paragraphs?|longdescription|fulldescription|descriptionhtml|answer|acceptedanswer|instructions|recipeinstructions|steps|biography|bio|rendered|raw|children|document|reviewbody|message)$/
const teasers =
  /^(?:excerpt|summary|teaser|snippet|abstract|intro|short\w*|preview|description|tagline|blurb|subtitle|subheading|subheadline|dek|lead|lede|standfirst|kicker)$/
const labels =
  /^(?:label|value|price|author|byline|category|caption|location|role|unit|quantity|amount|brand|ingredients?|recipeingredient|features|highlights|facts|cta|city|place|venue|term|definition|username|status|duration|level|date|publisheddate|displaydate|author\w*name|fullname)$/

/** Members that hold an excerpt of the body beside them. */
const excerpts = /^(?:excerpt|summary|teaser|snippet|abstract|short\w*|preview|description|blurb)$/

/** Members that hold the object's own URL or path. */
const addresses = /^(?:slug|handle|permalink|path|pathname|url|uri|canonicalurl|fullslug)$/

/** Lists that a page is about: an empty one is filled by a later request. */
const lists = /^(?:items|products|results|posts|articles|entries|rows|edges|nodes|hits|records|stories|listings)$/

/** No known name is longer. Characters. */
const MAX_NAME = 60

/** The properties of a member that follow from its name. */
export interface Field {
  readonly role: FieldRole
  /** True for what is no content of the page. */
  readonly isIrrelevant: boolean
  /** True for an excerpt, which is not shown beside the whole text. */
  readonly isExcerpt: boolean
  readonly isAddress: boolean
  readonly isMainList: boolean
}

export function describeField(name: string): Field {
  const known = name.length > MAX_NAME ? '' : plain(name)
  return {
    role: roleOf(known),
    isIrrelevant: name.startsWith('__') || irrelevant.test(known),
    isExcerpt: excerpts.test(known),
    isAddress: addresses.test(known),
    isMainList: lists.test(known),
  }
}

function roleOf(known: string): FieldRole {
  if (titles.test(known)) return 'title'
  if (bodies.test(known)) return 'body'
  if (teasers.test(known)) return 'teaser'
  return labels.test(known) ? 'label' : 'other'
}
