import { Fetched } from '../parts/fetched.jsx'

const wordings = [
  'Your basket is empty at the moment',
  'Please choose a size before you go on',
  'We could not reach the shop just now',
  'Sign in to see what you have kept here',
]

/** Beside its text, which is asked for, the page has the words of its interface: many, and none of them on the page. */
export const getStaticProps = () => ({
  props: {
    _nextI18Next: {
      initialI18nStore: {
        en: Object.fromEntries(
          Array.from({ length: 60 }, (_, at) => [
            `note.${at}`,
            `${wordings[at % 4]}, or write to us under number ${at}.`,
          ]),
        ),
      },
    },
  },
})
const Page = () => <Fetched page="next-words" />
export default Page
