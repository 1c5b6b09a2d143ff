export const Article = ({ text }) => (
  <main>
    <h1>{text.title}</h1>
    {text.sentences.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
  </main>
)
