import { findField, isEmpty } from './fill-form.js'
import { isLoginTitle, likeness } from './judge-login-page.js'
import type { PageForm } from './page-forms.js'
import type { LoginSigns } from './read-login-signs.js'

/** A form to fill in, and the names of what goes into its fields, by their index. */
interface ChosenForm {
  readonly form: PageForm
  readonly wanted: ReadonlyMap<number, string>
}

/** Reads the forms of a page that logs in: the one field of a login for a new password, by which browsers fill in nothing, is one for the password. */
export function readLoginForms({ forms, title }: Pick<LoginSigns, 'forms' | 'title'>): readonly PageForm[] {
  const isLogin = isLoginTitle(title)
  const asking = forms.filter(({ fields }) => fields.some(({ type }) => type === 'password')).length
  return forms.map((form) => {
    const { newPassword } = form
    const alike = newPassword === undefined ? -1 : likeness(form)
    return alike === 1 || (alike === 0 && isLogin && asking === 1) ? { ...form, password: newPassword } : form
  })
}

/** Chooses the form that is most like a login. One to register has the same fields, and often more. Finds the field of each name. */
export function chooseForm(forms: readonly PageForm[], names: readonly string[]): ChosenForm | undefined {
  const found = forms.flatMap((form) => {
    const wanted = new Map<number, string>()
    for (const name of names) {
      const index = findField(form, name)
      if (index !== undefined && !wanted.has(index)) wanted.set(index, name)
    }
    // A field for an e-mail address alone may be that of a newsletter: a form by GET with it is a search.
    const isOne = wanted.size > 0 && (form.method === 'post' || form.password !== undefined)
    const others = form.fields.filter((field, index) => isEmpty(field) && !field.isHidden && !wanted.has(index)).length
    return isOne ? [{ form, wanted, others, alike: likeness(form) }] : []
  })
  return found.toSorted(
    (a, b) =>
      rank(b.form) - rank(a.form) ||
      b.alike - a.alike ||
      isNew(a.form) - isNew(b.form) ||
      b.wanted.size - a.wanted.size ||
      a.others - b.others ||
      Number(a.form.isBox) - Number(b.form.isBox),
  )[0]
}

const rank = ({ password, code }: PageForm): number => (password !== undefined ? 2 : code !== undefined ? 1 : 0)

const isNew = ({ newPassword }: PageForm): number => Number(newPassword !== undefined)

/** Tests for a form by which somebody may log in: one for a password, a code, or a name that is sent. */
export const mayLogIn = ({ password, newPassword, code, user, method }: PageForm): boolean =>
  (password ?? newPassword ?? code) !== undefined || (method === 'post' && user !== undefined)
