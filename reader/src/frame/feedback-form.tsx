import type { Html } from "@octavo/html/scope";
import { LONGEST_COMMENT, RATINGS, type Rating } from "../site/limits.js";
import type { Chrome } from "../words/index.js";

const FACES = { bad: "☹", ok: "😐", good: "☺" };

/** Says what became of a response: a script fills it in, and puts the focus there. */
const status = (text?: string): Html => (
  <p role="status" tabIndex={-1}>
    {text}
  </p>
);

/** The question whether a page was helpful; it is a form, also without scripts. */
export const feedbackForm = (action: string, page: string, words: Chrome): Html => (
  <form class="feedback" method="post" action={action} data-feedback>
    {status()}
    <input type="hidden" name="page" value={page} />
    <fieldset>
      <legend>{words.helpful}</legend>
      {RATINGS.map((rating) => (
        <button type="submit" name="rating" value={rating} aria-label={words[rating]} title={words[rating]}>
          <span aria-hidden="true">{FACES[rating]}</span>
        </button>
      ))}
    </fieldset>
  </form>
);

interface Thanks {
  action: string;
  page: string;
  rating: Rating;
  /** Whether something was said besides. */
  commented: boolean;
  words: Chrome;
}

/** The thanks for a response, and a field for more of it. */
export const feedbackThanks = ({ action, page, rating, commented, words }: Thanks): Html => (
  <form class="feedback thanked" method="post" action={action} data-feedback>
    {status(words.thanks)}
    {!commented && [
      <input type="hidden" name="page" value={page} />,
      <input type="hidden" name="rating" value={rating} />,
      <label>
        <span>{words.comment}</span>
        <textarea name="comment" rows={3} maxlength={LONGEST_COMMENT} required />
      </label>,
      <button type="submit" class="button secondary">
        {words.document.send}
      </button>,
    ]}
  </form>
);
