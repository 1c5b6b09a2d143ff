/** The names and pictures by which a page presents its site. Absolute URLs; inline drawings are `data:` URIs. */
export interface BrandSample {
  /** Names that the page gives to its site, the most reliable first. */
  readonly names: readonly string[]
  readonly logo?: { readonly src: string; readonly href?: string; readonly alt?: string }
  readonly favicon?: string
  readonly ogImage?: string
}

/** Text of one style, wherever on the page it stands. Sizes are CSS pixels. */
export interface TextSample {
  readonly role: 'text' | 'link' | 'heading' | 'code'
  /** 1 to 6 for a heading, else 0. */
  readonly level: number
  /** True inside the header, the navigation or the footer of the page. */
  readonly isBoilerplate: boolean
  readonly isParagraph: boolean
  readonly colour: string
  readonly size: number
  readonly weight: number
  /** The whole `font-family` list. */
  readonly family: string
  /** Ratio of line height to font size; 0 for `normal`. */
  readonly lineHeight: number
  /** Characters. */
  readonly length: number
}

/** A button or an input. Colours are empty where there is none. */
export interface ControlSample {
  readonly background: string
  /** The background colour that the control stands on. */
  readonly behind: string
  readonly text: string
  readonly border: string
  /** Radii of the four corners, from the upper left clockwise. */
  readonly radii: readonly string[]
  readonly shadow: string
  readonly padding: string
  /** CSS pixels, squared. */
  readonly area: number
  /** From the top of the page. CSS pixels. */
  readonly top: number
  readonly weight: number
  readonly focusBorder: string
}

/** A message to the visitor, such as an alert, by the kind that its class states. */
export interface NoticeSample {
  readonly kind: 'success' | 'warning' | 'error'
  readonly colour: string
}

/** An element with a background colour of its own, and its share of the window. */
export interface SurfaceSample {
  readonly colour: string
  readonly share: number
  readonly isHeader: boolean
}

/** The computed styles of a page, counted and not judged yet. Colours are `#RRGGBB` or `#RRGGBBAA`. */
export interface ComputedStyleSample {
  /** Background colours at points spread over the window. */
  readonly backgrounds: readonly string[]
  /** The background colour of the document itself. */
  readonly canvas: string
  readonly surfaces: readonly SurfaceSample[]
  readonly texts: readonly TextSample[]
  readonly buttons: readonly ControlSample[]
  readonly inputs: readonly ControlSample[]
  /** Colours in CSS custom properties of the root element. */
  readonly variables: readonly { readonly name: string; readonly colour: string }[]
  readonly themeColour: string
  readonly notices: readonly NoticeSample[]
  /** Paddings, margins and gaps, as often as they occur. CSS pixels. */
  readonly distances: readonly number[]
  readonly gaps: readonly number[]
  readonly radii: readonly string[]
  readonly paragraphMargin: string
  readonly headingMargin: string
  readonly bodyFamily: string
}
